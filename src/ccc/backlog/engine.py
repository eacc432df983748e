"""The durable part of a run, by DBOS: a step that has ended isn't repeated after a crash.

The workflow of a run belongs to the worker that executes it. If that one dies, another worker
resumes the workflow in a queue of its own, and finished steps keep their results: an agent that
has completed its work doesn't start again because a push was interrupted.
"""

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, SetWorkflowID, WorkflowStatus

from ccc.backlog.active_runs import ActiveRuns
from ccc.backlog.database import wait_for_connections
from ccc.backlog.runs import Claim
from ccc.backlog.steps import RunSteps

_VERSION = "1"  # of the workflow: a worker with another one doesn't resume it
_POLL_SECONDS = 1.0
_SELDOM_SECONDS = 3_600.0
_MORE_THREADS = 8
_ENDED = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
_active: list[ActiveRuns] = []  # those of this process's worker


@DBOS.workflow(name="run", max_recovery_attempts=1_000)
def _run(run: int) -> None:
    failure: Exception | None = None
    try:
        steps = RunSteps(_active[0], run)
        result = DBOS.run_step({"name": "prepare"}, steps.prepare)
        if not result.get("problem"):
            result = DBOS.run_step({"name": "work"}, steps.work)
            result = DBOS.run_step({"name": "deliver"}, steps.deliver, result)
        DBOS.run_step({"name": "conclude"}, steps.conclude, result)
    except Exception as error:
        failure = error
        raise
    finally:
        # nothing works on the run any more
        _active[0].finished.put((run, failure))


def _workflows(run: int) -> list[WorkflowStatus]:
    """Return the workflows of a run, the last one last."""
    prefix = f"run-{run}-"
    return DBOS.list_workflows(workflow_id_prefix=prefix, load_input=False, load_output=False)


def launch(active: ActiveRuns, worker: str) -> None:
    """Let DBOS execute the runs of this process's worker."""
    _active[:] = [active]
    database = active.database
    engine = wait_for_connections(database.engine) if database.is_shared else database.engine
    config: DBOSConfig = {
        "name": "ccc",
        "system_database_url": database.url,
        "system_database_engine": engine,
        "executor_id": worker,
        "application_version": _VERSION,
        "serializer": DBOSPortableJSONSerializer(),
        "log_level": "CRITICAL",
        "console_log_level": "CRITICAL",
        "max_executor_threads": active.options.jobs + _MORE_THREADS,
        # nobody schedules anything or waits for events
        "use_listen_notify": False,
        "notification_listener_polling_interval_sec": _SELDOM_SECONDS,
        "scheduler_polling_interval_sec": _SELDOM_SECONDS,
        "kafka_queue_polling_interval_sec": _SELDOM_SECONDS,
    }
    DBOS(config=config)
    queue = _queue_of(worker)
    DBOS.listen_queues([queue])
    DBOS.launch()
    DBOS.register_queue(queue, polling_interval_sec=_POLL_SECONDS, on_conflict="always_update")


def start(worker: str, claim: Claim, resumes: bool) -> None:
    """Start the workflow of a run; with `resumes`, go on with that of a dead worker.

    Its name has the fence under which it was first started.
    """
    with _active[0].database.explain_errors():
        known = _workflows(claim.run) if resumes else []
        if known and known[-1].status not in _ENDED:
            DBOS.resume_workflow(known[-1].workflow_id, queue_name=_queue_of(worker))
            return
        with SetWorkflowID(f"run-{claim.run}-{claim.fence}"):
            DBOS.start_workflow(_run, claim.run)


def delete(run: int) -> None:
    """Remove what DBOS has stored about an ended run."""
    DBOS.delete_workflows([each.workflow_id for each in _workflows(run)])


def forget(worker: str) -> None:
    """Remove the queue of a worker that is dead or ends.

    The threads of this one end with the process: `DBOS.destroy` would wait for some that look into
    the database once an hour.
    """
    DBOS.delete_queue(_queue_of(worker))


def _queue_of(worker: str) -> str:
    return f"worker-{worker}"
