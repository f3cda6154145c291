/** The process log. Structured fields first, then a sentence. Never pass secrets. */
export interface Logger {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
