/**
 * What is wrong with a file, from the codes of the operating system and of SQLite, as a key of
 * i18n.
 */
const problems = {
  EACCES: 'rule.file.denied',
  EPERM: 'rule.file.denied',
  EROFS: 'rule.file.readOnly',
  ENOSPC: 'rule.file.diskFull',
  EDQUOT: 'rule.file.diskFull',
  EFBIG: 'rule.file.tooLarge',
  ENOENT: 'rule.file.missing',
  ENOTDIR: 'rule.file.notFolder',
  EEXIST: 'rule.file.notFolder',
  ENAMETOOLONG: 'rule.file.nameTooLong',
  ELOOP: 'rule.file.loop',
  EOPNOTSUPP: 'rule.file.unsupported',
  ENOTSUP: 'rule.file.unsupported',
  EISDIR: 'rule.file.isFolder',
  EIO: 'rule.file.disk',
  EPIPE: 'rule.file.closed',
  EMFILE: 'rule.file.tooMany',
  ENFILE: 'rule.file.tooMany',
  SQLITE_BUSY: 'rule.file.locked',
  SQLITE_LOCKED: 'rule.file.locked',
  SQLITE_FULL: 'rule.file.diskFull',
  SQLITE_IOERR: 'rule.file.disk',
  // The index of the write-ahead log could not grow.
  SQLITE_IOERR_SHMSIZE: 'rule.file.diskFull',
  SQLITE_CORRUPT: 'rule.file.damaged',
  SQLITE_NOTADB: 'rule.file.damaged',
  SQLITE_CANTOPEN: 'rule.file.denied',
  SQLITE_READONLY: 'rule.file.readOnly',
} as const satisfies Record<string, string>;
export type FileProblem = (typeof problems)[keyof typeof problems];

/**
 * The problem of a code such as `EACCES` or `SQLITE_IOERR_WRITE`; undefined if it is about no file.
 */
export function fileProblemOf(code: string | undefined): FileProblem | undefined {
  const [general = ''] = code === undefined ? [] : (/^(SQLITE_[A-Z]+|E[A-Z]+)/.exec(code) ?? []);
  const name = [code ?? '', general].find((one) => Object.hasOwn(problems, one));
  return name === undefined ? undefined : problems[name as keyof typeof problems];
}

/**
 * Runs work on a file. Errors of the operating system name the file: those of reading and writing
 * do not by themselves.
 */
export function namingFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) Object.assign(error, { path });
    throw error;
  }
}
