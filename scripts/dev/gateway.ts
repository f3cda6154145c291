/**
 * The gateway from its source, as a child of `npm run dev`: the command line, ended with the
 * process that started it.
 */
process.once('disconnect', () => process.exit(0));
// The connection to the parent does not keep the process running once the gateway has stopped.
process.channel?.unref();
await import('../../src/cli/main.ts');
