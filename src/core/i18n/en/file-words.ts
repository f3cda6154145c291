import type { fileWords as zh } from '../zh/file-words.ts';

export const fileWords = {
  'rule.allowed': 'use {allowed}',
  'rule.end': 'must not be before the start of the range, or after the year 9999',
  'rule.databaseUrl':
    'use postgres://user:password@host/database, in the password %23 for #, %2F for / and %3F for ?. A site on MySQL moves in with `turnpike import`',
  'rule.file.denied': 'this user may not use it; change its owner or its mode, or use another path',
  'rule.file.readOnly': 'it is read-only; make it writable, or use another path',
  'rule.file.diskFull': 'the disk is full; free some space',
  'rule.file.tooLarge':
    'it became larger than the file system or a limit of the process allows; use another disk, or raise the limit',
  'rule.file.missing': 'it does not exist; create it, or use another path',
  'rule.file.notFolder': 'a file is in the place of a folder; move the file, or use another path',
  'rule.file.isFolder': 'it is a folder instead of a file; move the folder, or use another path',
  'rule.file.nameTooLong': 'the name is too long; use a shorter path',
  'rule.file.loop': 'its symbolic links form a circle; correct them, or use another path',
  'rule.file.unsupported': 'this file system takes no new folders; use another path',
  'rule.file.disk': 'reading or writing failed; check the disk',
  'rule.file.closed': 'the program that reads it has ended',
  'rule.file.tooMany': 'too many files are open; raise the limit of open files',
  'rule.file.locked': 'another program has locked it; end that program and try again',
  'rule.file.damaged':
    'it is not an SQLite database or is damaged; restore it from a backup, or use another path',
} satisfies Record<keyof typeof zh, string>;
