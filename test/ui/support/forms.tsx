/** Every form of the console that calls the server: how it is shown, filled in and submitted. */
import type { ReactNode } from 'react';
import type { BudgetStatus } from '../../../src/core/contract/budgets.ts';
import type { ManagedModel } from '../../../src/core/contract/model-square.ts';
import type { TopUpRecordEntity } from '../../../src/core/contract/top-up.ts';
import { client } from '../../../src/ui/client/api.ts';
import { PayerDialog } from '../../../src/ui/components/payer/payer-dialog.tsx';
import { FactorForm } from '../../../src/ui/components/second-factor/factor-form.tsx';
import { WechatCodeDialog } from '../../../src/ui/components/sign-in/wechat-code-dialog.tsx';
import { openBulk } from '../../../src/ui/list/bulk-dialog.tsx';
import { BudgetDrawer } from '../../../src/ui/routes/budget/budget-drawer.tsx';
import { WindowsDialog } from '../../../src/ui/routes/budget/windows-dialog.tsx';
import { AddKeys } from '../../../src/ui/routes/channel/add-keys.tsx';
import { BatchTagDialog } from '../../../src/ui/routes/channel/batch-tag-dialog.tsx';
import { ChannelDrawer } from '../../../src/ui/routes/channel/channel-drawer.tsx';
import { TagDrawer } from '../../../src/ui/routes/channel/tag-drawer.tsx';
import { openActivity } from '../../../src/ui/routes/log/activity-dialog.tsx';
import { openExport } from '../../../src/ui/routes/log/export-dialog.tsx';
import { LoginScreen } from '../../../src/ui/routes/login/index.tsx';
import { PhoneLogin } from '../../../src/ui/routes/login/phone-login.tsx';
import { RegisterScreen } from '../../../src/ui/routes/login/register/index.tsx';
import { ResetScreen } from '../../../src/ui/routes/login/reset/index.tsx';
import { SecondStep } from '../../../src/ui/routes/login/second-step.tsx';
import { EntryDrawer } from '../../../src/ui/routes/model-square-management/entry-drawer.tsx';
import { EmailDialog } from '../../../src/ui/routes/personal/bindings/email-dialog.tsx';
import { PhoneDialog } from '../../../src/ui/routes/personal/bindings/phone-dialog.tsx';
import { NotificationSettings } from '../../../src/ui/routes/personal/notifications/notification-settings.tsx';
import { TotpDialog } from '../../../src/ui/routes/personal/second-factor/totp-dialog.tsx';
import { DeleteDialog } from '../../../src/ui/routes/personal/security/delete-dialog.tsx';
import { PasswordDialog } from '../../../src/ui/routes/personal/security/password-dialog.tsx';
import { TransferDialog } from '../../../src/ui/routes/personal/transfer-dialog.tsx';
import { PromptForm } from '../../../src/ui/routes/playground/prompts/prompt-form.tsx';
import { RedemptionDrawer } from '../../../src/ui/routes/redemption/redemption-drawer.tsx';
import { PriceSources } from '../../../src/ui/routes/setting/prices/price-sources.tsx';
import { SetupScreen } from '../../../src/ui/routes/setup/index.tsx';
import { TokenDrawer } from '../../../src/ui/routes/token/token-drawer.tsx';
import { RefundDialog } from '../../../src/ui/routes/topup/history/refund-dialog.tsx';
import { RedeemBox } from '../../../src/ui/routes/topup/redeem-box.tsx';
import { TopUpPanel } from '../../../src/ui/routes/topup/top-up-panel.tsx';
import { QuotaDialog } from '../../../src/ui/routes/user/quota-dialog.tsx';
import { UserDrawer } from '../../../src/ui/routes/user/user-drawer.tsx';
import { channel } from './channel.ts';

const none = () => undefined;
const nothing = async () => undefined;
const human = { widget: null, run: (call: (input: object) => unknown) => call({}) } as never;

const budget = {
  id: 4,
  name: 'team',
  enabled: true,
  owner: 'user',
  owner_id: '1',
  owner_name: 'ann',
  each: '',
  amount: 5_000_000,
  window: 'day',
  windows: [
    {
      id: 9,
      subject: '1',
      name: '',
      spent: 1,
      limit: 5_000_000,
      start: 1,
      resets_at: 2,
      grants: 0,
    },
  ],
} as unknown as BudgetStatus;
const order = {
  id: 1,
  trade_no: 'USR1',
  amount: 10,
  quota: 5_000_000,
  money: 73,
  refunded: 0,
  status: 'success',
  payment_method: 'alipay',
  user_id: 2,
  username: 'ann',
  note: '',
} as unknown as TopUpRecordEntity;
const user = { id: 7, username: 'ann', quota: 5_000_000 } as never;

export const entry = {
  ...{
    model: 'gpt-9',
    icon: 'https://a.example/i.png',
    description: 'd',
    description_en: '',
    type: 'chat',
  },
  ...{ type_en: '', tags: ['new'], tags_en: [], manufacturer: 'A', context: '32K' },
  ...{ specification: ['MoE'], publish_time: '2026-11-01', price_type: 2, status: 1 },
  ...{ stored_model_price: null, model_price: null, created_time: 1, updated_time: 1 },
} as unknown as ManagedModel;

export interface ShownForm {
  readonly show: ReactNode;
  /** Opens what code opens. */
  readonly open?: () => unknown;
  readonly at?: string;
  readonly as?: 'visitor';
  /** Label and text of each field; a number: that many times the label's. */
  readonly fill?: readonly (readonly [label: string, text: string])[];
  readonly submit: string;
  /** The call that fails. */
  readonly call: string;
  /** It makes something that must not be made twice: a lost reply is asked about. */
  readonly creates?: true;
  /** A refused proof is not kept. */
  readonly forgets?: true;
  /** However long it takes; it can be cancelled. */
  readonly downloads?: true;
  /** Its failures are toasts: nothing in it covers them, and it has nothing to lose. */
  readonly toasts?: true;
}

/** By their file in src/ui. */
export const forms: Readonly<Record<string, ShownForm | readonly ShownForm[]>> = {
  'components/payer/payer-dialog.tsx': {
    show: (
      <PayerDialog
        payer={{ payer_name: '', payer_address: '', payer_tax_number: '' }}
        onSaved={nothing}
        onClose={none}
      />
    ),
    fill: [['Name', 'A company']],
    submit: 'Save',
    call: 'PUT /api/user/setting',
  },
  'components/second-factor/factor-form.tsx': {
    show: (
      <FactorForm
        methods={['password']}
        submitLabel="Go on"
        passkeyOptions={async () => ({})}
        prove={async (proof) =>
          void (await client.secondStep.complete({ challenge: 'c', ...proof }))
        }
      />
    ),
    fill: [['Password', 'a-long-password']],
    submit: 'Go on',
    call: 'POST /api/turnpike/sign-in/second-factor',
    forgets: true,
  },
  'components/sign-in/wechat-code-dialog.tsx': {
    show: (
      <WechatCodeDialog
        title="WeChat"
        submit="Link"
        onCode={(code) => client.oauth.wechatBind({ code })}
        onClose={none}
      />
    ),
    fill: [['Verification code', '123456']],
    submit: 'Link',
    call: 'GET /api/oauth/wechat/bind',
  },
  'list/bulk-dialog.tsx': {
    show: null,
    open: () =>
      openBulk(
        {
          title: 'Change 2 users',
          acts: [
            {
              key: 'group',
              label: 'Group',
              control: { kind: 'number' },
              change: (entry) => ({ group: entry }),
            },
          ],
          call: async (input) => client.bulk.users(input),
          refresh: nothing,
          valueText: none,
          onDone: none,
        },
        { ids: [1, 2] },
      ),
    fill: [['New value', '1']],
    submit: 'Show what changes',
    call: 'POST /api/turnpike/bulk/users',
    toasts: true,
  },
  'routes/log/activity-dialog.tsx': {
    show: null,
    open: () => openActivity({ forAdmin: true, username: 'ann' }),
    submit: 'Export',
    call: 'GET /api/turnpike/data/usage/export',
    downloads: true,
    toasts: true,
  },
  'routes/log/export-dialog.tsx': {
    show: null,
    open: () => openExport({} as never),
    submit: 'Export',
    call: 'GET /api/turnpike/log/export',
    downloads: true,
    toasts: true,
  },
  'routes/channel/batch-tag-dialog.tsx': {
    show: <BatchTagDialog channels={[channel]} onClose={none} onDone={none} />,
    fill: [['Tag', 'east']],
    submit: 'Set tag',
    call: 'POST /api/channel/batch/tag',
  },
  'routes/channel/add-keys.tsx': {
    show: <AddKeys id={3} onAdded={none} />,
    fill: [['Add keys', 'sk-a']],
    submit: 'Add',
    call: 'POST /api/turnpike/channel/3/keys/add',
  },
  'routes/channel/channel-drawer.tsx': {
    show: <ChannelDrawer channel={channel} onClose={none} />,
    at: '/channel?edit=3',
    fill: [['Name', 'main']],
    submit: 'Save',
    call: 'PUT /api/channel/',
  },
  'routes/channel/tag-drawer.tsx': {
    show: (
      <TagDrawer
        row={{
          tag: 'east',
          channels: 2,
          stored: { new_tag: 'east', models: [], group: [], model_mapping: '' },
        }}
        onClose={none}
      />
    ),
    fill: [['Tag name', 'west']],
    submit: 'Save',
    call: 'PUT /api/channel/tag',
  },
  'routes/user/quota-dialog.tsx': {
    show: <QuotaDialog user={user} onClose={none} />,
    fill: [['Quota to add', '1000']],
    submit: 'Adjust quota',
    call: 'PUT /api/user/',
    creates: true,
  },
  'routes/user/user-drawer.tsx': {
    show: <UserDrawer user={null} onClose={none} />,
    fill: [
      ['Username', 'bob'],
      ['Password', 'a-long-password'],
    ],
    submit: 'Add user',
    call: 'POST /api/user/',
    creates: true,
  },
  'routes/setting/prices/price-sources.tsx': {
    show: <PriceSources />,
    fill: [['Sources', 'litellm']],
    submit: 'Compare',
    call: 'POST /api/turnpike/prices/preview',
    toasts: true,
  },
  'routes/redemption/redemption-drawer.tsx': {
    show: <RedemptionDrawer code={null} onClose={none} onCreated={none} />,
    fill: [['Name', 'Spring']],
    submit: 'New codes',
    call: 'POST /api/redemption/',
    creates: true,
  },
  'routes/token/token-drawer.tsx': [
    {
      show: <TokenDrawer token={null} onClose={none} onCreated={none} />,
      fill: [['Name', 'app']],
      submit: 'New token',
      call: 'POST /api/turnpike/token/batch',
      creates: true,
    },
  ],
  'routes/topup/history/refund-dialog.tsx': {
    show: <RefundDialog order={order} onClose={none} />,
    fill: [['Reason', 'late']],
    submit: 'Refund',
    call: 'POST /api/turnpike/topup/refund',
  },
  'routes/topup/redeem-box.tsx': {
    show: <RedeemBox />,
    fill: [['Redemption code', 'abc']],
    submit: 'Redeem',
    call: 'POST /api/user/topup',
  },
  'routes/topup/top-up-form.tsx': {
    show: <TopUpPanel group="vip" />,
    submit: 'Show the WeChat Pay code',
    call: 'POST /api/user/wechatpay',
    toasts: true,
  },
  'routes/budget/windows-dialog.tsx': {
    show: <WindowsDialog budget={budget} onClose={none} />,
    fill: [['Amount to add', '1000']],
    submit: 'Add',
    call: 'POST /api/turnpike/budgets/4/grant',
    creates: true,
  },
  'routes/budget/budget-drawer.tsx': {
    show: <BudgetDrawer budget={null} onClose={none} />,
    at: '/budget?new=1',
    fill: [
      ['Name', 'team'],
      ['Amount', '1000'],
    ],
    submit: 'New budget',
    call: 'POST /api/turnpike/budgets',
    creates: true,
  },
  'routes/model-square-management/entry-drawer.tsx': {
    show: <EntryDrawer entry={entry} onClose={none} />,
    fill: [['Vendor', 'B']],
    submit: 'Save',
    call: 'POST /api/model_square_management/update',
  },
  'routes/login/second-step.tsx': {
    show: (
      <SecondStep
        checkCode="c"
        phone="138****0000"
        human={human}
        onDone={nothing}
        onCancel={none}
        onExpired={none}
      />
    ),
    as: 'visitor',
    fill: [['Code', '123456']],
    submit: 'Log in',
    call: 'POST /public/login',
  },
  'routes/login/register/register-form.tsx': {
    show: <RegisterScreen />,
    at: '/register',
    as: 'visitor',
    fill: [
      ['Username', 'bob'],
      ['Password', 'a-long-password'],
      ['Repeat the password', 'a-long-password'],
    ],
    submit: 'Register',
    call: 'POST /api/user/register',
  },
  'routes/login/account-login.tsx': {
    show: <LoginScreen />,
    at: '/login',
    as: 'visitor',
    fill: [
      ['Account', 'ann'],
      ['Password', 'a-long-password'],
    ],
    submit: 'Log in',
    call: 'POST /public/email_login',
  },
  'routes/login/reset/index.tsx': {
    show: <ResetScreen />,
    at: '/reset',
    as: 'visitor',
    fill: [['Email', 'a@example.org']],
    submit: 'Send reset link',
    call: 'GET /api/reset_password',
  },
  'routes/login/phone-login.tsx': {
    show: <PhoneLogin human={human} />,
    at: '/login',
    as: 'visitor',
    fill: [
      ['Phone number', '13700000001'],
      ['Code', '123456'],
    ],
    submit: 'Log in',
    call: 'POST /public/login',
  },
  'routes/personal/second-factor/totp-dialog.tsx': {
    show: <TotpDialog secret="ABCD" uri="otpauth://totp/a" onClose={none} onDone={nothing} />,
    fill: [['Code', '123456']],
    submit: 'Turn on',
    call: 'POST /api/turnpike/self/second-factor/totp/confirm',
  },
  'routes/personal/notifications/notification-settings.tsx': {
    show: (
      <NotificationSettings
        self={{ username: 'ann', email: '', setting: '{}' }}
        onSaved={nothing}
      />
    ),
    fill: [['Notification email', 'a@example.org']],
    submit: 'Save',
    call: 'PUT /api/user/setting',
    toasts: true,
  },
  'routes/personal/transfer-dialog.tsx': {
    show: <TransferDialog available={5_000_000} minimum={500_000} onClose={none} />,
    fill: [['Quota to transfer', '600000']],
    submit: 'Transfer',
    call: 'POST /api/user/aff_transfer',
  },
  'routes/personal/bindings/phone-dialog.tsx': {
    show: <PhoneDialog onClose={none} />,
    fill: [
      ['Phone number', '13700000001'],
      ['Code', '123456'],
    ],
    submit: 'Link',
    call: 'POST /api/user/phone/bind',
  },
  'routes/personal/bindings/email-dialog.tsx': {
    show: <EmailDialog onClose={none} onBound={nothing} />,
    fill: [
      ['Email', 'a@example.org'],
      ['Verification code', '123456'],
    ],
    submit: 'Link',
    call: 'GET /api/oauth/email/bind',
  },
  'routes/personal/security/delete-dialog.tsx': {
    show: <DeleteDialog self={{ username: 'ann', quota: 5 }} onClose={none} />,
    fill: [['ann', 'ann']],
    submit: 'Delete account',
    call: 'DELETE /api/user/self',
  },
  'routes/personal/security/password-dialog.tsx': {
    show: <PasswordDialog hasPassword onChanged={nothing} onClose={none} />,
    fill: [
      ['Current', 'a-long-password'],
      ['New password', 'another-long-one'],
      ['Confirm the new', 'another-long-one'],
    ],
    submit: 'Change password',
    call: 'PUT /api/user/self',
  },
  'routes/setup/index.tsx': {
    show: <SetupScreen />,
    at: '/setup#code=7KQ2MF',
    as: 'visitor',
    fill: [
      ['Password', 'a-long-password'],
      ['Repeat the password', 'a-long-password'],
    ],
    submit: 'Open the gateway',
    call: 'POST /api/setup',
    toasts: true,
  },
  'routes/playground/prompts/prompt-form.tsx': {
    show: (
      <PromptForm
        prompt={{ id: 'a', name: 'one', text: 'text' }}
        onSaved={nothing}
        onCancel={none}
      />
    ),
    fill: [['Name', 'two']],
    submit: 'Save',
    call: 'PUT /api/turnpike/self/prompts/a',
  },
};

/** Forms without a call of their own, or whose failures are those of a conversation. */
export const others: readonly string[] = [
  // The drawers' own frame.
  'form/form-drawer.tsx',
  // They filter a list.
  'list/filter-text-form.tsx',
  'list/time-filter.tsx',
  // Asks before its call, which then is the question's.
  'components/prune-dialog.tsx',
  // They hand on what was entered.
  'routes/personal/second-factor/name-dialog.tsx',
  'routes/setting/prices/price-form.tsx',
  // Their failures stand in the message, or beside the order
  // (docs/rules/console.md#playground-failures).
  'routes/playground/chat/composer.tsx',
  'routes/playground/image/index.tsx',
  'routes/playground/video/index.tsx',
];
