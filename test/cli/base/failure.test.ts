/** Errors of the operating system as users see them (docs/rules/command-line.md#exit-codes). */
import { describe, expect, test } from 'vitest';
import { describeFailure, namingFlags } from '../../../src/cli/base/failure.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { fileProblemOf, namingFile } from '../../../src/core/kernel/file-problems.ts';

const system = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code}: raw`), { code, syscall: 'open', ...more });

describe('errors of the operating system', () => {
  test.each([
    [
      { code: 'EACCES', path: '/d/x' },
      'file_unusable',
      'Cannot use /d/x: this user may not use it; change its owner',
      '无权使用',
    ],
    [{ code: 'EROFS', path: '/d/x' }, 'file_unusable', 'Cannot use /d/x: it is read-only', '只读'],
    [
      { code: 'ENOSPC', path: '/d/x' },
      'file_unusable',
      'Cannot use /d/x: the disk is full; free some space',
      '磁盘已满',
    ],
    [{ code: 'EISDIR', path: '/d/x' }, 'file_unusable', 'Cannot use /d/x: it is a folder', '目录'],
    [
      { code: 'ENOSPC' },
      'file_unusable',
      'Cannot use a file: the disk is full; free some space (ENOSPC: raw)',
      '磁盘已满',
    ],
    [{ code: 'SQLITE_FULL' }, 'file_unusable', 'the disk is full', '磁盘已满'],
    [
      { code: 'EADDRINUSE', syscall: 'listen', port: 3000 },
      'address_in_use',
      'Port 3000 is already in use',
      '端口 3000',
    ],
    [
      { code: 'EACCES', syscall: 'listen', port: 80 },
      'address_unavailable',
      'port 80: choose one from 1024 on',
      '端口 80',
    ],
    [
      { code: 'EADDRNOTAVAIL', syscall: 'listen', address: '9.9.9.9' },
      'address_unavailable',
      'no address 9.9.9.9',
      '9.9.9.9',
    ],
    [
      { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere' },
      'address_unavailable',
      'name nowhere',
      'nowhere',
    ],
  ])('%j', (fields, code, english, chinese) => {
    const error = system(fields.code, fields);
    expect(describeFailure(error, 'en')).toEqual({
      code,
      message: expect.stringContaining(english),
    });
    expect(describeFailure(error, 'zh')).toEqual({
      code,
      message: expect.stringContaining(chinese),
    });
  });

  test('other errors keep their message', () => {
    expect(describeFailure(new Error('a bug'), 'en')).toEqual({
      code: 'internal_error',
      message: 'a bug',
    });
  });
});

test('a database that cannot be used is described with its file, the problem and the code', () => {
  const error = new AppError('database_unavailable', {
    file: '/d/x.db',
    problem: 'rule.file.damaged',
    reason: 'SQLITE_CORRUPT',
  });
  expect(describeFailure(error, 'en').message).toMatch(
    /^The database \/d\/x\.db is not available: .+ \(SQLITE_CORRUPT\)$/,
  );
  expect(describeFailure(error, 'zh').message).toMatch(
    /^数据库 \/d\/x\.db 不可用：.+（SQLITE_CORRUPT）$/,
  );
  const refused = new AppError('database_unavailable', { reason: 'connection refused' });
  expect(describeFailure(refused, 'en').message).toBe(
    'The database is not available (connection refused)',
  );
});

test('extended codes of SQLite are understood, other codes are no problem of a file', () => {
  expect(fileProblemOf('SQLITE_IOERR_WRITE')).toBe('rule.file.disk');
  expect(fileProblemOf('SQLITE_IOERR_SHMSIZE')).toBe('rule.file.diskFull');
  expect(fileProblemOf('SQLITE_BUSY_SNAPSHOT')).toBe('rule.file.locked');
  for (const code of ['SQLITE_CONSTRAINT_UNIQUE', 'ECONNREFUSED', 'toString', '', undefined])
    expect(fileProblemOf(code)).toBeUndefined();
});

test('errors of reading name the file', () => {
  const fail = () => {
    throw system('EISDIR', { syscall: 'read' });
  };
  expect(() => namingFile('/d/x', fail)).toThrow(expect.objectContaining({ path: '/d/x' }));
});

test.each([
  ['invalid_parameter', 'Invalid parameter: month', 'Invalid parameter: --month 2026-13'],
  ['invalid_parameter', '参数无效：month：不能大于 9', '参数无效：--month 2026-13：不能大于 9'],
  ['invalid_parameter', 'Invalid parameter: key', 'Invalid parameter: --key'],
  ['invalid_parameter', 'Invalid parameter: other', 'Invalid parameter: other'],
  ['invalid_parameter', 'Invalid parameter', 'Invalid parameter'],
  ['not_found', 'Not found: month', 'Not found: month'],
])('%s %s names the flag', (code, message, shown) => {
  const flags = ['month', 'key'].map((name) => ({
    name,
    field: name,
    kind: 'text' as const,
    summary: { en: '', zh: '' },
  }));
  const given = { month: '2026-13', key: 'sk-secret' };
  expect(namingFlags({ code, message }, flags, given)).toBe(shown);
});
