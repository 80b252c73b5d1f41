"""What stands in no log."""

import logging
import re

_SLIP = re.compile(r"/r/[^/\"]+")


class WithoutCodes(logging.Filter):
    """Leaves the codes of score slips out: whoever has one may enter results."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if "/r/" in message:
            record.msg, record.args = _SLIP.sub("/r/…", message), ()
        return True
