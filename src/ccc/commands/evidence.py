"""What ccc finds out itself at a stop, before any model is asked."""

import os
from dataclasses import dataclass

from ccc import words
from ccc.claude import secrets
from ccc.domain import environment, redaction
from ccc.project import checks
from ccc.storage import configuration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccc.domain import config as configs
    from ccc.domain.receipt import Receipt
    from ccc.project.tree import Tree
    from ccc.storage.paths import Paths


@dataclass(frozen=True, slots=True)
class Evidence:
    """What ccc finds out itself: the tree and the user's checks."""

    where: "Paths"
    session: str
    config: "configs.Config"
    project: str
    """The directory whose checks they are."""
    worked_in: "Tree"
    """Where they run."""
    on_check: "Callable[[str, Sequence[Receipt]], None]"
    """Told which check begins, with the receipts of those before it."""
    on_receipt: "Callable[[Receipt], None]" = lambda receipt: None

    def tree(self) -> str:
        """A text that changes when the working tree does."""
        return self.worked_in.fingerprint()

    def checks(self) -> "Iterator[Receipt]":
        """The receipt of each check."""
        env = environment.for_checks(os.environ, secrets.variables_of(self.config))
        done: list[Receipt] = []
        for receipt in checks.run(
            list(configuration.checks_of(self.config, self.project)),
            self.worked_in,
            env,
            redaction.keys_of(os.environ),
            lambda number: self.where.check_output(self.session, number),
            lambda command: self.on_check(command, done),
        ):
            done.append(receipt)
            self.on_receipt(receipt)
            yield receipt

    def complaint(self, receipt: "Receipt") -> str:
        """The feedback for a check that failed."""
        ended, silent = receipt.exit_code is not None, not receipt.output.strip()
        message = "check.failed" if ended else "check.no_end"
        if silent:
            message = "check.failed_silent" if ended else "check.no_end_silent"
        return words.say(
            message,
            command=receipt.command,
            code=receipt.exit_code,
            seconds=f"{receipt.seconds:.0f}",
            output=receipt.output,
            file=receipt.output_file,
        )
