// The channel from a test process to Martlet, and the records that go through it.

#pragma once
#include "System.h"

#include <linux/futex.h>
#include <sys/socket.h>
#include <sys/stat.h>

/// The exit status of a process whose records cannot reach Martlet any more: what it would do from there on could not be
/// proven.
enum { LOST = 97 };
enum { KEY_BYTES = 16, HEADER_BYTES = 17, MOST_BYTES = 49152 };

static int channel = -1;
static dev_t channel_device;
static ino_t channel_inode;
/// Children inherit the memory and speak no more.
static int owner;
static uint64_t key[2];
static uint64_t number;
static uint32_t lock;
/// What becomes of records in a child that runs tests for the process; null in the process itself.
static void (*instead_of_sending)(uint8_t kind, const uint8_t *bytes, size_t count);

// MARK: The keyed hash

static uint64_t rotated(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

static void mix(uint64_t v[4], int rounds) {
  for (; rounds > 0; rounds--) {
    v[0] += v[1], v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0], v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32);
    v[2] += v[1], v[0] += v[3];
    v[1] = rotated(v[1], 17) ^ v[2], v[3] = rotated(v[3], 21) ^ v[0];
    v[2] = rotated(v[2], 32);
  }
}

/// SipHash-2-4 (https://www.aumasson.jp/siphash/siphash.pdf).
static uint64_t keyed_hash(const uint8_t *bytes, size_t count) {
  uint64_t v[4] = {
      key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};
  size_t whole = count / 8 * 8;
  for (size_t at = 0; at <= whole; at += 8) {
    uint64_t word = 0;
    memcpy(&word, bytes + at, at < whole ? 8 : count - whole);
    if (at == whole) word |= (uint64_t)count << 56;
    v[3] ^= word;
    mix(v, 2);
    v[0] ^= word;
  }
  v[2] ^= 0xff;
  mix(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

// MARK: Records

/// Whether the descriptor is still the one that was opened.
static int is_open(void) {
  struct stat status;
  return channel >= 0 && ASK(fstat, channel, &status) == 0 && status.st_dev == channel_device
      && status.st_ino == channel_inode;
}

/// Whether this is the process that is followed, and not a child of it.
static int is_followed(void) { return channel >= 0 && (int)ASK(getpid) == owner; }

static int take_lock(int waits) {
  uint32_t was = 0;
  if (__atomic_compare_exchange_n(&lock, &was, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 1;
  if (!waits) return 0;
  while (__atomic_exchange_n(&lock, 2, __ATOMIC_ACQUIRE) != 0) ASK(futex, &lock, FUTEX_WAIT_PRIVATE, 2, 0);
  return 1;
}

static void give_lock(void) {
  if (__atomic_exchange_n(&lock, 0, __ATOMIC_RELEASE) == 2) ASK(futex, &lock, FUTEX_WAKE_PRIVATE, 1);
}

/// Sends one record while the lock is held: its hash, its number, its kind, its bytes, and perhaps a descriptor. What is
/// too long is cut.
static void send_locked(uint8_t kind, const uint8_t *bytes, size_t count, int descriptor) {
  static uint8_t record[HEADER_BYTES + MOST_BYTES];
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  if (count > MOST_BYTES) count = MOST_BYTES;
  if (instead_of_sending != NULL) return instead_of_sending(kind, bytes, count);
  memcpy(record + 8, &number, 8);
  record[16] = kind;
  memcpy(record + HEADER_BYTES, bytes, count);
  uint64_t hash = keyed_hash(record + 8, HEADER_BYTES - 8 + count);
  memcpy(record, &hash, 8);
  number++;
  struct iovec part = {record, HEADER_BYTES + count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    control.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(int));
    message.msg_control = &control;
    message.msg_controllen = sizeof control.bytes;
  }
  long sent = -1;
  while (is_open()) {
    sent = ASK(sendmsg, channel, &message, MSG_NOSIGNAL);
    if (sent != -EINTR) break;
  }
  if (sent != (long)(HEADER_BYTES + count)) leave(LOST);
}

static void send_record(uint8_t kind, const uint8_t *bytes, size_t count) {
  if (!is_followed()) return;
  take_lock(1);
  send_locked(kind, bytes, count, -1);
  give_lock();
}

static size_t put_number(uint8_t *bytes, uint64_t number) {
  memcpy(bytes, &number, sizeof number);
  return sizeof number;
}

static size_t put_text(uint8_t *bytes, const char *text, size_t most) {
  size_t length = length_of(text);
  if (length > most) length = 0;
  put_number(bytes, length);
  memcpy(bytes + 8, text, length);
  return 8 + length;
}
