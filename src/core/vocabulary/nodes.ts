/** What can be requested of a gateway, and what it does (docs/rules/process.md#drain). */

/** '': serve; `drain`: take nothing new; `stop`: that, and end once it is empty. */
export type NodeWish = '' | 'drain' | 'stop';

/**
 * `draining`: it is to take nothing new. `empty`: besides, nothing is under way and nothing
 * has come lately.
 */
export const nodeStates = ['serving', 'draining', 'empty'] as const;
export type NodeState = (typeof nodeStates)[number];
