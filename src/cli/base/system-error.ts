/**
 * Errors of the operating system and of SQLite: which file or address, what is wrong with it, and
 * what to do (docs/rules/command-line.md#file-errors).
 */
import { dirname, resolve } from 'node:path';
import { translate } from '../../core/i18n/translate.ts';
import { fileProblemOf } from '../../core/kernel/file-problems.ts';
import { type Language, localize, type Text } from './text.ts';

/** The error code for scripts, and the message. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

/**
 * Undefined if the error is none of the operating system, or none that a user can do something
 * about.
 */
export function describeSystemError(error: unknown, language: Language): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, address = '', port = '', hostname = '', path } = error as SystemError;
  if (code === 'EADDRINUSE')
    return { code: 'address_in_use', message: localize(language, texts.inUse, { port }) };
  if (code === 'EADDRNOTAVAIL')
    return { code: 'address_unavailable', message: localize(language, texts.notHere, { address }) };
  if (syscall === 'getaddrinfo')
    return {
      code: 'address_unavailable',
      message: localize(language, texts.unknownHost, { hostname }),
    };
  if (code === 'EACCES' && syscall === 'listen')
    return { code: 'address_unavailable', message: localize(language, texts.privileged, { port }) };
  const problem = fileProblemOf(code);
  if (problem === undefined) return undefined;
  const params = { path: path ?? '', problem: translate(language, problem), cause: error.message };
  return {
    code: 'file_unusable',
    message: localize(language, path === undefined ? texts.someFile : texts.file, params),
  };
}

/** Of a file that was to be made: it is named, or the folder that is not there. */
export function namingTarget(error: unknown, target: string): unknown {
  if (!(error instanceof Error && 'path' in error)) return error;
  const isMissing = 'code' in error && error.code === 'ENOENT';
  return Object.assign(error, { path: isMissing ? dirname(resolve(target)) : target });
}

const texts = {
  inUse: {
    en: 'Port {port} is already in use: choose another with --port',
    zh: '端口 {port} 已被占用：请用 --port 指定其他端口',
  },
  notHere: {
    en: 'This machine has no address {address}: choose another with --host',
    zh: '本机没有地址 {address}：请用 --host 指定其他地址',
  },
  unknownHost: {
    en: 'The name {hostname} is unknown: give an address of this machine with --host',
    zh: '无法解析主机名 {hostname}：请用 --host 指定本机地址',
  },
  privileged: {
    en: 'This user may not listen on port {port}: choose one from 1024 on with --port',
    zh: '当前用户无权监听端口 {port}：请用 --port 指定 1024 或以上的端口',
  },
  file: { en: 'Cannot use {path}: {problem}', zh: '无法使用 {path}：{problem}' },
  someFile: {
    en: 'Cannot use a file: {problem} ({cause})',
    zh: '无法使用文件：{problem}（{cause}）',
  },
} satisfies Record<string, Text>;
