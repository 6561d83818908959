"""Programs that begin with Pulumi's SDKs imported, which takes most of the time of a small program.

All else is as for users: the script that runs the program, its own modules, the engine, the providers. Tests of how a
program starts and of how it is killed run it as `devcluster/language_host.py` does.
"""
