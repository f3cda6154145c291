/** Lets code outside React (the query client) reach the router without importing the screens. */
import type { DataRouter } from 'react-router';

let instance: DataRouter | undefined;

export function setRouter(router: DataRouter): void {
  instance = router;
}

export function router(): DataRouter {
  if (instance === undefined) throw new Error('the router is set before the first call is made');
  return instance;
}
