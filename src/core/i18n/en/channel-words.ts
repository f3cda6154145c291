import type * as zh from '../zh/channel-words.ts';

export const channelRules = {
  'rule.missing': 'is missing',
  'rule.text': 'must be text',
  'rule.path': 'is not a path like messages.0.content',
  'rule.pattern': 'is not a valid regular expression (RE2 syntax: no backreferences)',
  'rule.header': 'is not a header that may be set or forwarded',
  'rule.headerValue': "cannot be used as a header value (callers' credentials are not forwarded)",
  'rule.errorStatus': 'must map error statuses: from 300–599 to 400–599',
  'rule.proxy': 'must be an http, https or socks5 address',
  'rule.amount': 'must be a number from 0 to 1 billion (a rate must be above 0)',
  'rule.unknown': 'is not a name that is known here',
} satisfies Record<keyof typeof zh.channelRules, string>;

export const notices = {
  'notice.channel_disabled': 'Channel “{name}” (#{id}) has been disabled',
  'notice.channel_enabled': 'Channel “{name}” (#{id}) has been enabled again',
  'notice.reason': '{title}. Reason: {reason}',
  'notice.test_finished': 'Channel test finished',
  'notice.test_finished.content': 'All channels have been tested',
  'notice.models_changed': 'Models changed: {count}',
  'notice.models_changed.adopted': '{model}: {kind}, adopted',
  'notice.models_changed.waits': '{model}: {kind}, not adopted',
  'notice.models_changed.new': 'new model',
  'notice.models_changed.price': 'other price',
  'notice.models_changed.end': 'end announced',
  'notice.models_changed.facts': 'other limits or abilities',
  'notice.models_changed.gone': 'no longer in the list of its vendor',
  'notice.models_changed.content': 'turnpike models sync shows the changes and adopts prices.',
  'notice.model_ends': 'Models end: {models}',
  'notice.model_ends.line':
    '{model} ends on {ends} (channels: {channels})[; successor: {successor}]',
  'notice.model_ends.content':
    'Map these models to their successors, or take them off the channels. Requests for them fail from that day (UTC) on.',
  'notice.model_stopped': 'Model {model} was taken off channel “{name}” (#{id})',
  'notice.backup_failed': 'The site could not be backed up',
  'notice.backup_check_failed': 'The newest backup did not pass its restore check',
  'notice.loss_below_cost': 'Models are sold below their cost',
  'notice.loss_unknown_cost': 'The cost of requests is not known',
  'notice.loss_balance': 'Balances at upstreams are running out',
  'notice.loss_billed_more': 'Upstreams bill more than was booked',
  'notice.loss_price': 'Prices differ from their sources',
  'loss.below_cost': '{model} at channel {channel}: earned {quota} in 24 hours, and cost {cost}',
  'loss.unknown_cost':
    'Channel {channel}: the cost of {count} requests of the last 24 hours is not known ({models})',
  'loss.balance': 'Channel {channel}: the balance of {balance} is used up in {days} days',
  'loss.billed_more':
    'Channel {channel}: its balance fell by {billed} in {days} days, {booked} of it are booked',
  'loss.price': '{model}: {price} is {site}, and {source} at {name}',
  'loss.unpriced':
    'Channel {channel}: {count} of {all} models have no price and cannot be called ({models}); set it in the settings under prices, or by turnpike prices sync',
  'price.below_cost.title': '{count} prices below their cost',
  'price.below_cost.text': 'Customers pay less than the upstream charges: {list}',
  'price.below_cost.confirm': 'Save all the same',
  'price.below_cost.line': '{model}, {kind}: {price}, cost {cost} at channel #{channel}',
  'notice.quota': '{site}: your balance is low',
  'notice.quota.content':
    'The balance of user {name} is {balance}, below the warning threshold of {threshold}. Requests are refused once it is used up.[ Top up here: {link}]',
  'notice.budget': '{site}: {percent}% of a budget is used',
  'notice.budget.content':
    'Budget {budget}: {percent}% is used; {spent} of {limit} quota were spent so far. Requests are refused once it is used up.[ More for it, after logging in: {link}]',
  'notice.budget.warn':
    'Budget {budget}: {percent}% is used; {spent} of {limit} quota were spent so far. It only warns; nothing is refused.[ More for it, after logging in: {link}]',
  'notice.test': '{site}: test notice',
  'notice.test.content': 'Hello {name}, your notification settings work.',
  'reason.slow': 'response took {time} s; the limit is {limit} s',
  'reason.margin': 'its margin of the last 24 hours is {share} %',
  'reason.other_model': 'asked for {requested}, it replied with {replied}',
  'reason.balance': 'Insufficient balance',
} satisfies Record<keyof typeof zh.notices, string>;
