"""A disk that treats names as APFS does: it ignores case and the Unicode form of a name, and keeps both as written.

Usage: folding_disk.py FOLDER MOUNT_POINT
What is below MOUNT_POINT is stored in FOLDER, on a disk that compares names byte by byte. Needs fusepy and /dev/fuse.
"""

import os
import sys
import unicodedata

from fuse import FUSE, FuseOSError, Operations


def folded(name):
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


class FoldingDisk(Operations):
    use_ns = True

    def __init__(self, folder):
        self.folder = folder
        # Folder to its names by folded name. Every change of names goes through this object.
        self.names = {}

    def stored(self, path):
        """The stored path: each name as it was written first. A name that does not exist stays as it is."""
        found = self.folder
        for name in path.split("/"):
            if name:
                found = f"{found}/{self.names_in(found).get(folded(name), name)}"
        return found

    def names_in(self, folder):
        known = self.names.get(folder)
        if known is None:
            try:
                known = {folded(name): name for name in os.listdir(folder)}
            except OSError:
                return {}
            self.names[folder] = known
        return known

    def added(self, stored):
        folder, name = os.path.split(stored)
        self.names_in(folder)[folded(name)] = name

    def removed(self, stored):
        folder, name = os.path.split(stored)
        self.names_in(folder).pop(folded(name), None)
        self.forget(stored)

    def forget(self, stored):
        for folder in [each for each in self.names if each == stored or each.startswith(f"{stored}/")]:
            del self.names[folder]

    def __call__(self, operation, *args):
        try:
            return super().__call__(operation, *args)
        except FuseOSError:
            raise
        except OSError as error:
            raise FuseOSError(error.errno) from None

    def access(self, path, mode):
        os.lstat(self.stored(path))

    def getattr(self, path, handle=None):
        state = os.fstat(handle) if handle is not None else os.lstat(self.stored(path))
        return {
            "st_mode": state.st_mode,
            "st_ino": state.st_ino,
            "st_nlink": state.st_nlink,
            "st_uid": state.st_uid,
            "st_gid": state.st_gid,
            "st_size": state.st_size,
            "st_blocks": state.st_blocks,
            "st_atime": state.st_atime_ns,
            "st_mtime": state.st_mtime_ns,
            "st_ctime": state.st_ctime_ns,
        }

    def readdir(self, path, handle):
        return [".", "..", *os.listdir(self.stored(path))]

    def readlink(self, path):
        return os.readlink(self.stored(path))

    def statfs(self, path):
        state = os.statvfs(self.stored(path))
        keys = ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_favail", "f_ffree", "f_files", "f_flag", "f_frsize", "f_namemax")
        return {key: getattr(state, key) for key in keys}

    def create(self, path, mode, info=None):
        stored = self.stored(path)
        handle = os.open(stored, os.O_RDWR | os.O_CREAT, mode)
        self.added(stored)
        return handle

    def open(self, path, flags):
        # The kernel adds the offset of appends itself, and asks for reads of files that were opened for writing only.
        return os.open(self.stored(path), flags & ~(os.O_APPEND | os.O_NOFOLLOW | os.O_CREAT | os.O_EXCL))

    def read(self, path, size, offset, handle):
        return os.pread(handle, size, offset)

    def write(self, path, data, offset, handle):
        return os.pwrite(handle, data, offset)

    def truncate(self, path, length, handle=None):
        os.truncate(self.stored(path) if handle is None else handle, length)

    def release(self, path, handle):
        os.close(handle)

    def flush(self, path, handle):
        return 0

    def fsync(self, path, datasync, handle):
        os.fsync(handle)

    def mkdir(self, path, mode):
        stored = self.stored(path)
        os.mkdir(stored, mode)
        self.added(stored)

    def mknod(self, path, mode, device):
        stored = self.stored(path)
        os.mknod(stored, mode, device)
        self.added(stored)

    def symlink(self, path, target):
        stored = self.stored(path)
        os.symlink(target, stored)
        self.added(stored)

    def link(self, path, source):
        stored = self.stored(path)
        os.link(self.stored(source), stored, follow_symlinks=False)
        self.added(stored)

    def unlink(self, path):
        stored = self.stored(path)
        os.unlink(stored)
        self.removed(stored)

    def rmdir(self, path):
        stored = self.stored(path)
        os.rmdir(stored)
        self.removed(stored)

    def rename(self, old, new):
        source, target = self.stored(old), self.stored(new)
        # Renaming a file to another case of its own name changes the stored name.
        if source == target:
            target = os.path.join(os.path.dirname(target), os.path.basename(new))
        os.rename(source, target)
        self.removed(source)
        self.forget(target)
        self.added(target)

    def chmod(self, path, mode):
        os.chmod(self.stored(path), mode)

    def chown(self, path, user, group):
        os.chown(self.stored(path), user, group, follow_symlinks=False)

    def utimens(self, path, times=None):
        os.utime(self.stored(path), ns=times, follow_symlinks=False)


# The kernel must ask for each name, because it knows only whole names. One thread, so that the names need no lock.
FUSE(
    FoldingDisk(os.path.realpath(sys.argv[1])),
    sys.argv[2],
    foreground=True,
    nothreads=True,
    allow_other=True,
    default_permissions=True,
    attr_timeout=0,
    entry_timeout=0,
    use_ino=True,
    hard_remove=True,
)
