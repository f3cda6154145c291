import type { LogPart } from './log-levels.ts';

/** The process log. Structured fields first, then a sentence. Never pass secrets. */
export interface Logger {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
  /** The log of one part, at its level; absent: there is only one. */
  part?(name: LogPart): Logger;
  /** Hands each line that is written, as JSON, to this function too, until the result is called. */
  tap?(take: (line: string) => void): () => void;
}

export const partOf = (logger: Logger, name: LogPart): Logger => logger.part?.(name) ?? logger;

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
