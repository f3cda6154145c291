#!/usr/bin/env node
// Old syntax on purpose: an old Node must get as far as the message.
var wanted = [24, 7];
var found = process.versions.node.split('.').map(Number);
if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  console.error(
    `Turnpike needs Node ${wanted.join('.')} or newer; this is ${process.versions.node}. See https://nodejs.org`,
  );
  process.exit(1);
}
import('../dist/main.js').catch((error) => {
  if (
    error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    String(error.message).indexOf('dist') >= 0 &&
    String(error.message).indexOf('main.js') >= 0
  ) {
    console.error('Turnpike is not built yet: in a clone, `npm start` builds and starts it.');
  } else {
    console.error(error);
  }
  process.exit(1);
});
