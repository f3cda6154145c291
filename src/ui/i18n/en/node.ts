import type { EnglishOf } from '../english-of.ts';
import type { node as zh } from '../zh/node.ts';

export const node: EnglishOf<typeof zh> = {
  'node.title': 'Gateways',
  'node.subtitle':
    'They serve this site and say so every 10 seconds. Drain one before you upgrade or mend it.',
  'node.column.address': 'Address',
  'node.column.state': 'State',
  'node.column.underWay': 'Under way',
  'node.column.version': 'Version',
  'node.column.since': 'Since',
  'node.column.shared': 'Redis',
  'node.this': '{{host}} (this one)',
  'node.shared': 'Shared',
  'node.separate': 'Not shared',
  'node.state.serving': 'Serving',
  'node.state.draining': 'Draining',
  'node.state.draining.detail': 'It takes nothing new and finishes what is under way',
  'node.state.empty': 'Empty',
  'node.state.empty.detail': 'Nothing is under way, and nothing has come for 10 seconds',
  'node.state.stopping': 'Stopping',
  'node.drain': 'Drain',
  'node.drain.title': 'Drain {{address}}?',
  'node.drain.text':
    'Its /readyz will say 503, so load balancers leave it. What is under way ends normally; background jobs move to other gateways. You can resume it at any time.',
  'node.resume': 'Resume',
  'node.resumed': '{{address}} takes requests again',
  'node.stop': 'Stop when empty',
  'node.stop.title': 'Stop {{address}} once it is empty?',
  'node.stop.text':
    'It takes nothing new, finishes what is under way, and its process ends. It can only be started again on its machine. Until it ends, you can resume it.',
  'node.last': 'No other gateway takes requests at present.',
  'node.failed': 'The gateways could not be loaded',
  'node.empty.title': 'No gateway runs',
  'node.empty.text': 'Gateways appear here once they have started.',
};
