import { type OptionValues, type ServerStatus, serverStatus } from '../options/index.ts';
import type { OptionStore } from './option-store.ts';

export interface StatusDeps {
  readonly options: Pick<OptionStore, 'values'>;
  readonly version: string;
  /** Unix seconds at which the process began. */
  readonly startTime: number;
  readonly isSetUp: () => boolean;
  readonly port: () => number;
}

/** The object of GET /api/status (docs/rules/options.md#server-status), made anew only when something in it changed. */
export function createStatus(deps: StatusDeps): () => ServerStatus {
  let known: { options: OptionValues; isSetUp: boolean; port: number; status: ServerStatus } | undefined;
  return () => {
    const options = deps.options.values();
    const isSetUp = deps.isSetUp();
    const port = deps.port();
    if (known?.options !== options || known.isSetUp !== isSetUp || known.port !== port) {
      const status = serverStatus(options, { version: deps.version, startTime: deps.startTime, isSetUp, port });
      known = { options, isSetUp, port, status };
    }
    return known.status;
  };
}
