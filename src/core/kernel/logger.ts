/** The process log as the core sees it. Structured fields first, then a sentence; secrets never go in. */
export interface Logger {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
