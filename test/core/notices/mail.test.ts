import { afterEach, describe, expect, it } from 'vitest';
import { createMailer } from '../../../src/core/notices/mail.ts';
import { defaultOptions, type OptionValues } from '../../../src/core/options/index.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';

const opened: MailServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

async function setUp(
  options: Partial<OptionValues> = {},
  server?: Parameters<typeof startMailServer>[0],
  insecure = false,
) {
  const mails = await startMailServer(server);
  opened.push(mails);
  const values: OptionValues = {
    ...defaultOptions(),
    SystemName: 'Türnpike',
    SMTPServer: '127.0.0.1',
    SMTPPort: mails.port,
    SMTPAccount: 'robot@site.test',
    ...options,
  };
  return { mails, mailer: createMailer({ options: { get: (key) => values[key] }, insecure }) };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'sent',
    (error: { code?: unknown }) => error.code,
  );

describe('a mail', () => {
  it('has one recipient, the site as sender, a subject in any script and an HTML body', async () => {
    const { mails, mailer } = await setUp();
    await mailer.send('owner@site.test', '通道「甲」\r\nBcc: x@y.test', '<p>已被禁用</p>');
    const [mail] = mails.mails;
    expect(mail).toMatchObject({
      from: 'robot@site.test',
      to: ['owner@site.test'],
      user: undefined,
    });
    expect(mail?.headers).toMatchObject({
      from: 'Türnpike <robot@site.test>',
      subject: '通道「甲」 Bcc: x@y.test',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(mail?.headers).not.toHaveProperty('bcc');
    expect(mail?.body.trim()).toBe('<p>已被禁用</p>');
  });

  it('is sent with the account where it has a password, from another address where that is set', async () => {
    const { mails, mailer } = await setUp({ SMTPToken: 'secret', SMTPFrom: 'no-reply@site.test' });
    await mailer.send('owner@site.test', 's', 'b');
    expect(mails.mails[0]).toMatchObject({ user: 'robot@site.test', from: 'no-reply@site.test' });
  });

  it.each([
    ['a@b.test, c@d.test'],
    ['a@b.test;c@d.test'],
    ['a@b.test\r\nBcc: c@d.test'],
    ['A <a@b.test>'],
    ['nobody'],
    [''],
  ])('is refused to %j', async (to) => {
    const { mails, mailer } = await setUp();
    expect(await codeOf(mailer.send(to, 's', 'b'))).toBe('mail_address_invalid');
    expect(mails.mails).toHaveLength(0);
  });

  it('needs a server and a sender', async () => {
    const { mailer } = await setUp({ SMTPServer: '' });
    expect(await codeOf(mailer.send('a@b.test', 's', 'b'))).toBe('mail_not_configured');
    const { mailer: anonymous } = await setUp({ SMTPAccount: '' });
    expect(await codeOf(anonymous.send('a@b.test', 's', 'b'))).toBe('mail_not_configured');
  });

  it('fails with a wrong password and with nobody there', async () => {
    const { mailer } = await setUp({ SMTPToken: 'wrong' });
    expect(await codeOf(mailer.send('a@b.test', 's', 'b'))).toBe('mail_failed');
    const { mailer: lost } = await setUp({ SMTPPort: 1 });
    expect(await codeOf(lost.send('a@b.test', 's', 'b'))).toBe('mail_failed');
  });
});

describe('encryption', () => {
  // The server's own certificate is signed by nobody we trust.
  it('from the first byte where the option says so; certificates are verified', async () => {
    const { mails, mailer } = await setUp({ SMTPSSLEnabled: true }, { secure: true });
    expect(await codeOf(mailer.send('a@b.test', 's', 'b'))).toBe('mail_failed');
    expect(mails.mails).toHaveLength(0);
  });

  it('is not verified with SMTP_INSECURE', async () => {
    const { mails, mailer } = await setUp({ SMTPSSLEnabled: true }, { secure: true }, true);
    await mailer.send('a@b.test', 's', 'b');
    expect(mails.mails[0]?.secure).toBe(true);
  });

  it('is begun where the server offers it, and verified then, too', async () => {
    const { mailer } = await setUp({}, { disabledCommands: [] });
    expect(await codeOf(mailer.send('a@b.test', 's', 'b'))).toBe('mail_failed');
    const { mails, mailer: trusting } = await setUp({}, { disabledCommands: [] }, true);
    await trusting.send('a@b.test', 's', 'b');
    expect(mails.mails[0]?.secure).toBe(true);
  });
});
