import { panelPages } from '../../../src/core/options/panels.ts';
import { orders, receipt, status } from './replies.ts';
import type { Opening } from './steps.ts';

export type Screen = Omit<Opening, 'open' | 'size'>;
/** The screens, by their path in routes.tsx. */
export const screens: Readonly<Record<string, readonly Screen[]>> = {
  '/setup': [
    {
      at: '/setup',
      as: 'visitor',
      replies: [
        status({ setup: false }),
        { path: '/api/setup', data: { status: false, root_init: false, database_type: 'sqlite' } },
      ],
    },
  ],
  '/login': [{ at: '/login', as: 'visitor' }],
  '/login/second-factor': [
    {
      at: '/login/second-factor',
      as: 'visitor',
      replies: [
        { path: '/api/turnpike/sign-in/second-factor/options', data: { methods: ['totp'] } },
      ],
    },
  ],
  '/reset': ['/reset', '/reset?email=a@example.com&token=b'].map((at) => ({ at, as: 'visitor' })),
  '/not-me': [{ at: '/not-me?token=a', as: 'visitor' }],
  '/register': [{ at: '/register', as: 'visitor' }],
  '/': [{ at: '/', as: 'visitor' }],
  '/about': [{ at: '/about', as: 'visitor' }],
  '/oauth/:provider': [{ at: '/oauth/github?error=denied', as: 'visitor' }],
  '/pricing': [{ at: '/pricing', as: 'visitor' }, { at: '/pricing' }],
  '/model_square': [{ at: '/model_square' }],
  '/playground': [{ at: '/playground' }],
  '/playground/image': [{ at: '/playground/image' }, { at: '/playground/image?view=gallery' }],
  '/playground/video': [{ at: '/playground/video' }],
  '/chat/:id?': [{ at: '/chat/99' }],
  '/chat2link': [{ at: '/chat2link' }],
  '/detail': [{ at: '/detail' }, { at: '/detail?as=table' }],
  '/token': [{ at: '/token' }],
  '/budget': [{ at: '/budget' }, { at: '/budget?view=conversations' }],
  '/log': [{ at: '/log' }, { at: '/log?model=none' }],
  '/midjourney': [{ at: '/midjourney?time=all' }],
  '/task': [{ at: '/task' }],
  '/topup': [{ at: '/topup' }],
  '/topup/history': [{ at: '/topup/history', replies: [orders] }],
  '/topup/receipt': [{ at: '/topup/receipt?order=USR1NO1', replies: [receipt] }],
  '/statement': [{ at: '/statement' }],
  '/channel': [{ at: '/channel' }, { at: '/channel?tags=1' }],
  '/redemption': [{ at: '/redemption' }],
  '/user': [{ at: '/user' }],
  '/model_square_management': [{ at: '/model_square_management' }],
  '/node': [{ at: '/node' }],
  '/audit': [{ at: '/audit' }],
  '/setting': panelPages.map((tab) => ({ at: `/setting?tab=${tab}` })),
  '/personal': [{ at: '/personal' }],
};
