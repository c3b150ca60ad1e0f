"""``python -m stallscope`` is the command ``stallscope``."""

import sys

from .cli import main

sys.exit(main())
