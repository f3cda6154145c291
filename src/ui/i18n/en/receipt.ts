import type { EnglishOf } from '../english-of.ts';
import type { receipt as zh } from '../zh/receipt.ts';

export const receipt: EnglishOf<typeof zh> = {
  'receipt.title': 'Receipt',
  'receipt.failed': 'Could not load the receipt',
  'receipt.print': 'Print',
  'receipt.edit': 'Edit payer',
  'receipt.add': 'Add payer',
  'receipt.history': 'Top-ups',
  'receipt.receivedBy': 'Received by',
  'receipt.payer': 'Payer',
  'receipt.account': 'Account',
  'receipt.address': 'Address',
  'receipt.taxNumber': 'Tax number',
  'receipt.order': 'Order',
  'receipt.paidOn': 'Paid on',
  'receipt.zone': '{{time}} ({{zone}})',
  'receipt.method': 'Payment method',
  'receipt.item': 'Item',
  'receipt.amount': 'Amount (CNY)',
  'receipt.quota': 'Top-up of {{quota}}',
  'receipt.paid': 'Paid',
  'receipt.refunded': 'Paid back',
  'receipt.note': 'This receipt confirms the payment above. It is not a tax invoice.',
  'receipt.details': 'Payer on receipts',
  'receipt.details.text':
    'Printed on the receipts of your payments. Every field is optional, and all receipts show what is saved now.',
  'receipt.name': 'Name or company',
  'receipt.saved': 'Payer saved',
};
