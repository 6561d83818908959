"""Lua scripts: what Lua or Slurm would not take, and what of theirs is right."""

import pytest

from pulumi_slurm.slurmconf.lua import lua_issues

SUBMIT = "function slurm_job_submit(a, b, c)\n  return slurm.SUCCESS\nend\n"
BOTH = f"{SUBMIT}function slurm_job_modify(a, b, c, d) return 0 end\n"
FUNCTIONS = ("slurm_job_submit", "slurm_job_modify")


def issues(text: str) -> list[str]:
    return [f"{line}: {issue}" for line, issue in lua_issues(text, FUNCTIONS)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: it does not define slurm_job_submit. "),
        (SUBMIT, '1: it does not define slurm_job_modify. Write a global "function slurm_job_modify(...)" in it.'),
        (f"--[[\n{BOTH}]]", "it does not define slurm_job_submit"),
        (f"{SUBMIT}-- function slurm_job_modify() end", "it does not define slurm_job_modify"),
        (f"{SUBMIT}local function slurm_job_modify() end", "it does not define slurm_job_modify"),
        (f"{SUBMIT}function slurm.slurm_job_modify() end", "it does not define slurm_job_modify"),
        (f"{SUBMIT}assert(slurm_job_modify == nil)", "it does not define slurm_job_modify"),
        (f"{BOTH}if 1 != 2 then end", "5: Lua does not read it: it has no !, at != 2 then end. Write ~= for unequal."),
        (f"{BOTH}x = 'abc\ny = 1", "5: Lua does not read it: a text has no end, at 'abc. End it on its line."),
        (f"{BOTH}--[==[ x ]]", "5: Lua does not read it: what begins at [==[ x ]] has no end. Close its brackets."),
        (f"{BOTH}x = [[ y", "5: Lua does not read it: what begins at [[ y has no end"),
        (f"{BOTH}function x(", "5: Lua does not read it: ( has no ). Add )."),
        (f"function f()\n{BOTH}", "1: Lua does not read it: function has no end. Add end."),
        (f"{BOTH}end", "5: Lua does not read it: end closes nothing. Leave it out, or open it."),
        (f"{BOTH}x = {{1, 2)", "5: Lua does not read it: ) closes no { of line 5. Leave it out, or open it."),
    ],
)
def test_what_is_no_script_for_slurm(text: str, message: str) -> None:
    found = issues(text)
    assert any(message in text for text in found), found


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
        BOTH.replace("\n", "\r\n"),
        f"#!/usr/bin/lua !\n{BOTH}",
        f"\ufeff{BOTH}",
        "slurm_job_submit = function() end\nslurm_job_modify = slurm_job_submit",
        "slurm_job_submit, slurm_job_modify = f, g",
        "for _, n in ipairs({'submit', 'modify'}) do _G['slurm_job_' .. n] = f end",
        "require('site')",
        "rawset(globals, 'slurm_job_submit', f)",
        f"{BOTH}local s = 'it\\'s ! ' .. [==[ ]] ' end ]==] .. \"a\\\n!\" -- don't ! end",
        f"{BOTH}while a do if b then c() elseif d then e() else f() end end repeat g() until h",
        f"{BOTH}for i = 1, 2 do t[a[i]] = {{[1] = 0x1p-4, 1e+5}} end goto a ::a:: local t <const> = 1 // 2 & 3 ~ 4",
    ],
)
def test_what_slurm_loads(text: str) -> None:
    assert issues(text) == []
