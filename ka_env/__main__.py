"""`python -m ka_env` is `ka`."""

import sys

from ka_env.cli import main

sys.exit(main())
