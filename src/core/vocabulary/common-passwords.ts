/**
 * Passwords that are guessed first, in lower case: of those in published lists of leaked passwords
 * the commonest that are long enough to be chosen here, of English and of Chinese speakers
 * (docs/rules/accounts.md#passwords). Blanks around a word do not help.
 */
const lines = `
password password1 password12 password123 password1234 password! password1! 1password mypassword newpassword passw0rd passw0rd1
passw0rd! p@ssw0rd p@ssw0rd1 p@ssw0rd123 p@ssword p@55w0rd pa$$word pa$$w0rd pa55word pa55w0rd pass1234 pass12345 passpass
12345678 123456789 1234567890 12345678910 0123456789 01234567 87654321 987654321 9876543210 0987654321 11111111 111111111 1111111111
00000000 0000000000 22222222 33333333 44444444 55555555 66666666 77777777 88888888 888888888 99999999 12341234 123123123 1234512345
11223344 1122334455 112233445566 12344321 1234554321 147258369 147852369 123654789 789456123 741852963 159753456 31415926 13131313
12121212 10101010 69696969 20002000 19871987 123321123 qwertyui qwertyuiop qwertyuiop123 qwerty12 qwerty123 qwerty1234 qwerty12345
qwerty123456 qwer1234 1234qwer 123qweasd qweasdzxc qweqweqwe 123qwe123 qwe123qwe qwe12345 asdfghjk asdfghjkl asdf1234 asdfasdf
asdfghjkl; zxcvbnm1 zxcvbnm123 zxcvbnm,./ zaq12wsx zaq1zaq1 !qaz2wsx 1qaz2wsx 1qaz!qaz 1qaz2wsx3edc 1qazxsw2 qazwsxedc qaz12345 q1w2e3r4
q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1a2b3c4d a1b2c3d4 poiuytrewq aaaaaaaa aaaaaaaaaa abababab xxxxxxxx zzzzzzzz abcdefgh
abcdefg1 abcdefghi abcd1234 abc12345 abc123456 abc123abc 1234abcd 123456ab 123456aa 123456abc 12345678a 12345678q 123456789a 123456789q
aa123456 aa12345678 aaa12345 as123456 asd12345 asd123456 qq123456 qq123123 zz123456 zxc12345 zxc123456 ww111111 w123456789 z123456789
a1234567 a12345678 a123456789 a1b2c3d4e5 wang1234 wang123456 zhang123 li123456 liu12345 woaini123 woaini520 woaini521 woaini1314
woaini5201314 520520520 5201314520 52013145 5201314a 13145200 1314520520 1314521521 iloveyou iloveyou1 iloveyou2 iloveyou123 ihateyou
sunshine sunshine1 princess princess1 football football1 baseball basketball superman superman1 batman123 trustno1 starwars whatever
whatever1 jennifer michelle michael1 jordan23 charlie1 nicole12 computer computer1 internet samsung1 liverpool chelsea1 arsenal1
welcome1 welcome123 welcome1! letmein1 letmein123 admin123 admin1234 admin12345 admin123456 admin@123 admin888 adminadmin administrator
root1234 root12345 root123456 rootroot toor1234 test1234 test12345 testtest testing1 testing123 guest123 guest1234 user1234 user12345
temp1234 changeme changeme1 changeme123 default1 secret123 master123 monkey123 dragon123 pokemon1 naruto123 shadow123 hunter22 freedom1
killer123 blink182 google123 facebook facebook1 linkedin linkedin1 access14 mustang1 maverick corvette mercedes spiderman slipknot
turnpike turnpike1 turnpike123 newapi123 oneapi123 openai123 chatgpt123
`;

/** '' stands for blanks alone. */
export const commonPasswords: ReadonlySet<string> = new Set(['', ...lines.trim().split(/\s+/)]);
