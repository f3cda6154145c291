/** Ids of tasks that callers see: upstream ids may be the same on two channels. */
export const taskIdPrefix = 'task_';
/** Letters and digits after the prefix. */
export const taskIdLength = 32;
