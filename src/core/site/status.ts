import { type OptionValues, type ServerStatus, serverStatus } from '../options/index.ts';
import type { OptionStore } from './option-store.ts';

export interface StatusParts {
  readonly options: Pick<OptionStore, 'values'>;
  readonly version: string;
  /** Unix seconds at which the process began. */
  readonly startTime: number;
  readonly isSetUp: () => boolean;
  readonly port: () => number;
}

/** The object of GET /api/status (spec, console-api 1.3), made anew only when something in it changed. */
export function createStatus(parts: StatusParts): () => ServerStatus {
  let known: { options: OptionValues; isSetUp: boolean; port: number; status: ServerStatus } | undefined;
  return () => {
    const options = parts.options.values();
    const isSetUp = parts.isSetUp();
    const port = parts.port();
    if (known?.options !== options || known.isSetUp !== isSetUp || known.port !== port) {
      const status = serverStatus(options, { version: parts.version, startTime: parts.startTime, isSetUp, port });
      known = { options, isSetUp, port, status };
    }
    return known.status;
  };
}
