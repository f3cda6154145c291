import type { BodyFields } from '../../../src/core/canonical/pass-through.ts';
import type { Step, Wire } from './agent-wires.ts';

/** The body of an agent that has taken these steps, as the gateway reads it. */
export const bodyOf = (wire: Wire, steps: readonly Step[]): BodyFields => {
  const body = wire(steps);
  return {
    bytesOf: (name: string) =>
      body[name] === undefined ? undefined : Buffer.from(JSON.stringify(body[name])),
  } as unknown as BodyFields;
};
