import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const midjourneyFields = {
  settings: {
    mj_mode: {
      label: { zh: '路径中的速度模式', en: 'Speed named by the path' },
      hint: {
        zh: '对 /mj-fast、/mj-relax、/mj-turbo 的处理：ignore 忽略（默认）；path 保留在上游路径中；filter 写入 accountFilter',
        en: 'What /mj-fast, /mj-relax and /mj-turbo do: ignore: nothing (default); path: stay in the upstream path; filter: become the account filter',
      },
    },
    mj_notify_secret: {
      label: { zh: '任务通知密钥', en: 'Secret of task notifications' },
      hint: {
        zh: '代理回调 /mj/notify?secret=… 时须带上；留空则不接受通知',
        en: 'The proxy calls /mj/notify?secret=… with it; empty: no notification is accepted',
      },
    },
  },
} satisfies VendorFields;
