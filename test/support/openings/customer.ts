/** What the screens of everybody open. By their file in src/ui. */

import { siteModel } from '../console-site.ts';
import { phone } from '../screenshots.ts';
import { change, factors, orders, session, status } from './replies.ts';
import { ask, choose, fill, flip, more, type Opening, opensItself, press, steps } from './steps.ts';

export const customer: Readonly<Record<string, Opening | readonly Opening[]>> = {
  'routes/login/second-step.tsx': {
    at: '/login',
    as: 'visitor',
    replies: [
      {
        path: '/public/email_login',
        data: { token: '+86137****0001', check_code: 'a' },
      },
    ],
    open: steps(
      (page) => page.getByLabel('Account').fill('root'),
      (page) => page.locator('input[type="password"]').fill('a-long-password'),
      press('Log in'),
    ),
  },
  'routes/model-square/filter-drawer.tsx': {
    at: '/model_square',
    size: phone,
    open: press(/^Filters/),
  },
  'routes/model-square/model-drawer.tsx': [
    {
      at: `/model_square?model=${siteModel}`,
      open: opensItself,
    },
    { at: '/model_square?model=none', open: opensItself },
  ],
  'routes/personal/bindings/email-dialog.tsx': { at: '/personal', open: press('Link Email') },
  'routes/personal/bindings/index.tsx': {
    at: '/personal',
    replies: [change('/api/user/self', { github_id: 'ann' }), status({ github_oauth: true })],
    open: press('Unlink GitHub'),
  },
  'routes/personal/bindings/phone-dialog.tsx': {
    at: '/personal',
    replies: [status({ phone_login: true, sms_delivery: true })],
    open: press('Link Phone number'),
  },
  'routes/personal/bindings/phone-row.tsx': {
    at: '/personal',
    replies: [change('/api/user/self', { phone: '+86137****0001' })],
    open: press('Unlink Phone number'),
  },
  'routes/personal/second-factor/index.tsx': [
    { at: '/personal', replies: [factors], open: press('Remove') },
    { at: '/personal', replies: [factors], open: press('Make new ones') },
  ],
  'routes/personal/second-factor/name-dialog.tsx': {
    at: '/personal',
    replies: [factors],
    open: press('Rename laptop'),
  },
  'routes/personal/second-factor/passkey-rows.tsx': {
    at: '/personal',
    replies: [factors],
    open: press('Remove laptop'),
  },
  'routes/personal/second-factor/totp-dialog.tsx': { at: '/personal', open: press('Set up') },
  'routes/personal/security/delete-dialog.tsx': {
    at: '/personal',
    replies: [change('/api/user/self', { role: 10 })],
    open: press('Delete account'),
  },
  'routes/personal/security/devices.tsx': {
    at: '/personal',
    replies: [
      {
        path: '/api/turnpike/self/sessions',
        data: (data) => [...(data as object[]), session],
      },
    ],
    open: press(/everywhere$/),
  },
  'routes/personal/security/password-dialog.tsx': {
    at: '/personal',
    open: press('Change password'),
  },
  'routes/personal/security/security-panel.tsx': {
    at: '/personal',
    replies: [change('/api/turnpike/self/credentials', { has_system_token: true })],
    open: press('Generate a new one'),
  },
  'routes/personal/transfer-dialog.tsx': {
    at: '/personal',
    replies: [change('/api/user/self', { aff_quota: 5_000_000 })],
    open: press('Transfer'),
  },
  'routes/playground/chat/chat-menu.tsx': [
    { at: '/playground', open: steps(ask, press('New chat'), ask, press('Earlier chats')) },
    { at: '/playground', open: press('Delete chat') },
  ],
  'routes/playground/chat/code-dialog.tsx': { at: '/playground', open: press('Copy as code') },
  'routes/playground/chat/settings.tsx': {
    at: '/playground',
    open: steps(flip('Keep chats on the server'), flip('Keep chats on the server')),
  },
  'routes/playground/gallery/index.tsx': {
    at: '/playground/image?view=gallery',
    open: press('Delete'),
  },
  'routes/playground/model-select.tsx': { at: '/playground', open: choose('Model') },
  'routes/playground/prompts/prompts-button.tsx': {
    at: '/playground',
    open: press('Kept prompts'),
  },
  'routes/playground/prompts/prompts.tsx': {
    at: '/playground',
    open: steps(press('Kept prompts'), press('Delete “greeting”')),
  },
  'routes/playground/settings-sheet.tsx': {
    at: '/playground',
    size: phone,
    open: press('Open settings'),
  },
  'routes/task-log/preview.tsx': {
    at: '/midjourney?time=all',
    open: press(/^Enlarge image/),
  },
  'routes/token/chat-dialog.tsx': {
    at: '/token',
    open: more('app', 'Open in a chat client'),
  },
  'routes/token/token-drawer.tsx': [
    { at: '/token?new=1', open: opensItself },
    { at: '/token?edit=1', open: opensItself },
  ],
  'routes/topup/history/refund-dialog.tsx': {
    at: '/topup/history',
    replies: [orders],
    open: more('USR1NO1', 'Refund'),
  },
  'routes/topup/redeem-box.tsx': {
    at: '/topup',
    replies: [{ path: '/api/user/topup', data: 500_000 }],
    open: steps(fill('Redemption code', 'a-code'), press('Redeem')),
  },
  'routes/topup/wechat-dialog.tsx': {
    at: '/topup',
    replies: [
      status({ enable_wechat_pay: true }),
      {
        path: '/api/user/wechatpay',
        data: { trade_no: 'USR1NO1', code_url: 'weixin://a', expires_in: 7200, money: 73 },
      },
    ],
    open: press(/WeChat Pay code$/),
  },
};
