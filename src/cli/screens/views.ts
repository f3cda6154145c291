import { makeEntityViews } from './entities.ts';
import { OverviewView } from './overview-view.ts';
import { RequestsView } from './requests-view.ts';
import type { Host, View } from './view.ts';

/** The views in the order of their numbers. */
export function makeViews(host: Host): readonly View[] {
  return [new OverviewView(host), new RequestsView(host), ...makeEntityViews(host)];
}
