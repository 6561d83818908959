function slurm_job_submit(job_desc, part_list, submit_uid)
    if job_desc.time_limit == slurm.NO_VAL then
        job_desc.time_limit = 60
    end
    return slurm.SUCCESS
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
    return slurm.SUCCESS
end
