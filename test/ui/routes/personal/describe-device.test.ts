import { expect, test } from 'vitest';
import { describeDevice } from '../../../../src/ui/routes/personal/security/describe-device.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`,
    'Chrome · Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'Edge · Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15',
    'Safari · macOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox · Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/142.0 Mobile Safari/604.1',
    'Chrome · iOS',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; V2309A) ${webkit} Version/4.0 Chrome/116.0 Mobile Safari/537.36 MicroMessenger/8.0.49`,
    'WeChat · Android',
  ],
  ['curl/8.5.0', 'curl'],
  ['my-script/1.0 (+https://example.org)', 'my-script'],
  ['', ''],
  ['<img src=x>', ''],
])('%s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device);
});
