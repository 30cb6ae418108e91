"""The cell of a guest: this file runs as a script in a process of its own, before anything of the guest is imported.

The process splits in two. The keeper does nothing but end the guest as soon as the arena closes the pipe `life`,
however it came to that, and tidy up. The guest lives behind walls, as many as the platform allows without privileges:
limits of memory and of file sizes anywhere; on Linux, where user namespaces are allowed, it sees no other process, no
network and no store, and can write nowhere but in its own folder. Which walls stand is told before it has a say.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import shutil
import signal
import struct
import sys
from typing import Any, NoReturn

FILE_BYTES = 64 << 20  # of one file, and of everything in the guest's folder
MOST_PROCESSES = 4096  # threads count
LIMITS, PROCESSES, NETWORK, FILES, STORE = WALLS = ("limits", "processes", "network", "files", "store")

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = (
    0x20000,
    0x8000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_PRIVATE = 2, 4, 8, 4096, 1 << 18
SYS_MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY = 442, -100, 0x8000, 1
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 24, 36, 38
CAPABILITY_VERSION_3, CAPABILITIES = 0x20080522, 64

LINUX = sys.platform == "linux"
_libc: Any = ctypes.CDLL(None, use_errno=True) if LINUX else None


def _call(name: str, *arguments: Any) -> None:
    """A function of the C library that returns a negative number when it fails."""
    if getattr(_libc, name)(*arguments) < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


# ---- namespaces -----------------------------------------------------------------------------------------------------


def separate() -> None:
    """New namespaces of users, processes, network and shared memory; this user stays who it is."""
    user, group = os.geteuid(), os.getegid()
    _call("unshare", CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _mount(source: str, place: str, kind: str | None, flags: int, options: str = "") -> None:
    texts = [None if text is None else text.encode() for text in (source, place, kind)]
    _call("mount", *texts, ctypes.c_ulong(flags), options.encode() or None)


def wall_in(folder: str, hidden: list[str]) -> None:
    """Everything is read-only but the guest's folder (and shared memory), and the hidden files are empty."""
    _call("unshare", CLONE_NEWNS)
    for path in hidden:
        if os.path.exists(path):
            _mount("/dev/null", path, None, MS_BIND)
    read_only = struct.pack("QQQQ", MOUNT_ATTR_RDONLY, 0, MS_PRIVATE, 0)
    arguments = (AT_FDCWD, b"/", AT_RECURSIVE, read_only, len(read_only))
    _call("syscall", SYS_MOUNT_SETATTR, *arguments)
    for place in (folder, "/dev/shm"):
        if os.path.isdir(place):
            _mount("guest", place, "tmpfs", MS_NOSUID | MS_NODEV, f"size={FILE_BYTES},mode=700")
    with contextlib.suppress(OSError):  # some containers don't allow it; other processes can't be reached all the same
        _mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)


def drop_rights() -> None:
    """The rights over the namespaces, for good: the walls stay."""
    _call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    for capability in range(CAPABILITIES):
        with contextlib.suppress(OSError):  # the kernel has fewer
            _call("prctl", PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = struct.pack("Ii", CAPABILITY_VERSION_3, 0)
    _call("capset", header, bytes(24))


def walls_hold(folder: str, hidden: list[str]) -> bool:
    """Try them in a process that is thrown away: half-built walls are no use."""
    if not LINUX:
        return False
    probe = os.fork()
    if probe:
        return os.waitpid(probe, 0)[1] == 0
    try:
        separate()
        inner = os.fork()  # mounting /proc needs a process inside
        if inner:
            os._exit(os.waitstatus_to_exitcode(os.waitpid(inner, 0)[1]) != 0)
        wall_in(folder, hidden)
        drop_rights()
        os._exit(0)
    except OSError:
        os._exit(1)


def limit(megabytes: int) -> None:
    """Memory (on Linux what can be written to, so that big libraries don't count), file sizes, processes."""
    kinds = {"RLIMIT_DATA" if LINUX else "RLIMIT_AS": megabytes << 20, "RLIMIT_FSIZE": FILE_BYTES, "RLIMIT_CORE": 0}
    for name, value in {**kinds, "RLIMIT_NPROC": MOST_PROCESSES}.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        most = resource.getrlimit(kind)[1]
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (value, value))


# ---- the keeper -----------------------------------------------------------------------------------------------------


def keep(guest: int, life: int, folder: str) -> NoReturn:
    """Wait until the guest or the arena is gone, end what is left, and pass on how the guest ended."""
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    status = None
    while status is None:
        ended, found = os.waitpid(guest, os.WNOHANG)
        if ended:
            status = found
        elif life in select.select([life, wake], [], [])[0]:
            os.kill(guest, signal.SIGKILL)
            status = os.waitpid(guest, 0)[1]
        else:
            os.read(wake, 64)
    with contextlib.suppress(OSError):
        os.killpg(guest, signal.SIGKILL)
    end_orphans()
    shutil.rmtree(folder, ignore_errors=True)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def end_orphans() -> None:
    """Processes the guest left behind have become the keeper's children."""
    if not LINUX:
        return
    for _ in range(1000):
        try:
            with open(f"/proc/self/task/{os.getpid()}/children") as file:
                children = [int(word) for word in file.read().split()]
        except OSError:
            return
        if not children:
            return
        for child in children:
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)


# ---- beginning ------------------------------------------------------------------------------------------------------


def main() -> None:
    orders = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the arena's business
    walls = [LIMITS]
    if orders["walls"] and walls_hold(orders["folder"], orders["hidden"]):
        walls = list(WALLS)
        separate()
    if LINUX:
        _call("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    guest = os.fork()
    if guest:
        os.close(orders["questions"])
        os.close(orders["answers"])
        keep(guest, orders["life"], orders["folder"])
    try:
        _begin(orders, walls)
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


def _begin(orders: dict[str, Any], walls: list[str]) -> None:
    os.close(orders["life"])
    os.setsid()
    if LINUX:
        _call("prctl", PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if FILES in walls:
        wall_in(orders["folder"], orders["hidden"])
        drop_rights()
        os.environ["NUMBA_CACHE_DIR"] = os.path.join(orders["folder"], "numba")  # the usual places can't be written to
    limit(orders["memory"])
    os.environ["TMPDIR"] = orders["folder"]
    sys.path[:] = orders["path"]
    sys.argv[1:] = []
    from ka_env.training.arena.guests import serve

    serve(orders["questions"], orders["answers"], orders["spec"], orders["folder"], walls)


if __name__ == "__main__":
    main()
