/**
 * Whether a reply is about the login of now. A call on a slow network may outlast the login that
 * made it: that this one has ended says nothing about the next one.
 */
import { CallError } from '../../core/contract/envelope.ts';
import { currentLogin } from './session.ts';

/**
 * The refusal of a call whose login has ended in this browser meanwhile. There is nothing to say.
 */
export class ReplacedLogin extends CallError {
  constructor() {
    super('', 401);
    this.name = 'ReplacedLogin';
  }
}

/** Call it before the call is sent. What it returns throws `ReplacedLogin` where it applies. */
export function loginOfCall(): (status: number) => void {
  const login = currentLogin();
  return (status) => {
    if (status === 401 && login !== currentLogin()) throw new ReplacedLogin();
  };
}
