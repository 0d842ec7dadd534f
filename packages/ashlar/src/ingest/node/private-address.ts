import { BlockList, isIP } from 'node:net'

/** Addresses that are not on the public Internet: this machine, private and local networks, and what is reserved. */
const closed = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  closed.addSubnet(address, bits, 'ipv4')

/** Of IPv6 what is public is one block; a few parts of it are not, or hide an address of IPv4. */
const open = new BlockList()
open.addSubnet('2000::', 3, 'ipv6')
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed.addSubnet(address, bits, 'ipv6')

/** Whether an IP address is anything but public; what is no address is not public either. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return closed.check(address, 'ipv4')
  if (family === 0) return true
  // An address of IPv4 written as one of IPv6 lies outside the public block, and so does the prefix that translates them.
  return !open.check(address, 'ipv6') || closed.check(address, 'ipv6')
}
