"""What ccc finds out itself at a stop, before any model is asked."""

import os
from dataclasses import dataclass

from ccc import words
from ccc.claude.formats import environment
from ccc.config import ccc_json
from ccc.project import checks
from ccc.providers import layers
from ccc.text import redaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccc.project.tree import Tree
    from ccc.supervision.case import Audience, Case
    from ccc.supervision.receipt import Receipt


@dataclass(frozen=True, slots=True)
class Evidence:
    """What ccc finds out itself: the tree and the user's checks."""

    case: "Case"
    worked_in: "Tree"
    """Where the checks run."""
    on_check: "Callable[[str, Sequence[Receipt]], None]"
    """Told which check begins, with the receipts of those before it."""
    audience: "Audience"

    def tree(self) -> str:
        """A text that changes when the working tree does."""
        return self.worked_in.fingerprint()

    def checks(self) -> "Iterator[Receipt]":
        """The receipt of each check."""
        env = environment.for_checks(os.environ, layers.key_variables(self.case.config))
        done: list[Receipt] = []
        for receipt in checks.run(
            ccc_json.checks_of(self.case.config, self.case.project),
            self.worked_in,
            env,
            redaction.keys_of(os.environ),
            lambda number: self.case.where.check_output(self.case.session, number),
            lambda command: self._begin(command, done),
        ):
            done.append(receipt)
            self.audience.on_receipt(receipt)
            yield receipt

    def _begin(self, command: str, done: "Sequence[Receipt]") -> None:
        self.audience.on_check(command)
        self.on_check(command, done)

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
