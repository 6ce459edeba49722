package dev.doyen.stores.quorum;

import dev.doyen.store.support.SharedKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates the frames of one TCP connection with AES-GCM. Without a secret the frames are sent in
 * plain text.
 *
 * <p>Each side begins with a hello. The hello contains the protocol, the version, whether the side has a secret, and 16
 * random bytes. The session key is derived from the shared key and both hellos. The frames of each direction are
 * numbered from 0. The nonce consists of the direction and the number. Therefore a frame can be opened only in its
 * direction and at its position.
 *
 * <p>The secret protects against an attacker that can read and change all traffic but does not have the secret. The
 * attacker cannot read, forge, change, repeat, omit or reorder a frame. The attacker cannot reflect a frame to its
 * sender or replay a recorded connection.
 *
 * <p>The secret does not protect against these cases:
 *
 * <ul>
 *   <li>An attacker obtains the secret later. The protocol has no forward secrecy, so an attacker with the secret can
 *       decrypt recorded traffic.
 *   <li>The secret is weak. An attacker can test guesses on a recorded connection.
 *   <li>A member attacks another member. A process that has the secret can impersonate any member.
 *   <li>The network directs a connection to a different member than intended. A Raft message contains the directory id
 *       of its intended recipient, and the recipient must check this id.
 *   <li>The network closes or delays connections. An eavesdropper can measure the volume and the times of the traffic.
 * </ul>
 *
 * <p>Threads: one thread may seal frames while another thread opens frames. Source: NIST SP 800-38D.
 */
final class FrameCipher {

    /** The side of a connection: the process that connects or the process that accepts. */
    enum Side {
        CONNECTING,
        ACCEPTING
    }

    /** The length of a hello, in bytes. */
    static final int HELLO_BYTES = 20;

    private static final int RANDOM_BYTES = 16;
    private static final int TAG_BYTES = 16;
    private static final byte[] PROTOCOL = {'D', 'Q'};
    private static final byte VERSION = 1;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final @Nullable SecretKey key;
    private final Side own;
    private final Side other;
    private long sealed;
    private long opened;

    private FrameCipher(@Nullable SecretKey key, Side own) {
        this.key = key;
        this.own = own;
        this.other = own == Side.CONNECTING ? Side.ACCEPTING : Side.CONNECTING;
    }

    /** Returns a new hello, the first bytes that this process sends. Each connection needs a new hello. */
    static byte[] hello(@Nullable SharedKey shared) {
        var random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return ByteBuffer.allocate(HELLO_BYTES)
                .put(PROTOCOL)
                .put(VERSION)
                .put(hasSecret(shared))
                .put(random)
                .array();
    }

    /**
     * Returns the cipher of a connection, derived from the hellos of both sides.
     *
     * @throws RefusedPeerException if the peer's hello does not match this process
     */
    static FrameCipher of(@Nullable SharedKey shared, Side own, byte[] ownHello, byte[] otherHello)
            throws RefusedPeerException {
        if (otherHello.length != HELLO_BYTES || otherHello[0] != PROTOCOL[0] || otherHello[1] != PROTOCOL[1]) {
            throw new RefusedPeerException("it does not use the protocol of the quorum store; if it is a member,"
                    + " check its address and port");
        }
        if (otherHello[2] != VERSION) {
            throw new RefusedPeerException(
                    "it uses another version of the protocol; run the same version of Doyen on all members");
        }
        if (otherHello[3] != hasSecret(shared)) {
            throw new RefusedPeerException(
                    shared == null
                            ? "it has a secret and this process has none; give all members the same secret"
                            : "it has no secret and this process has one; give all members the same secret");
        }
        byte[] connecting = own == Side.CONNECTING ? ownHello : otherHello;
        byte[] accepting = own == Side.CONNECTING ? otherHello : ownHello;
        byte[] session = Arrays.copyOf(connecting, 2 * HELLO_BYTES);
        System.arraycopy(accepting, 0, session, HELLO_BYTES, HELLO_BYTES);
        return new FrameCipher(shared == null ? null : shared.ofSession(session), own);
    }

    /** Returns the number of bytes that sealing adds to a frame. */
    int overhead() {
        return key == null ? 0 : TAG_BYTES;
    }

    /** Seals the next frame to send. */
    byte[] seal(byte[] frame) {
        if (key == null) {
            return frame;
        }
        try {
            return cipher(Cipher.ENCRYPT_MODE, key, own, sealed++).doFinal(frame);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot encrypt a frame with AES-GCM", e);
        }
    }

    /**
     * Opens the next received frame.
     *
     * @throws RefusedPeerException if these bytes are not the next frame that the peer sealed
     */
    byte[] open(byte[] frame) throws RefusedPeerException {
        if (key == null) {
            return frame;
        }
        // Some versions of Java throw no checked exception if the bytes are too short for a tag.
        if (frame.length < TAG_BYTES) {
            throw notOpened();
        }
        try {
            byte[] plain = cipher(Cipher.DECRYPT_MODE, key, other, opened).doFinal(frame);
            opened++;
            return plain;
        } catch (GeneralSecurityException e) {
            throw notOpened();
        }
    }

    private RefusedPeerException notOpened() {
        return new RefusedPeerException(
                opened == 0
                        ? "it did not prove that it has the secret; if it is a member, give it the same secret"
                        : "a frame cannot be decrypted; it was changed, repeated or reordered in transit");
    }

    private static Cipher cipher(int mode, SecretKey key, Side sender, long number) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        byte[] nonce = ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(sender == Side.CONNECTING ? 1 : 2)
                .putLong(number)
                .array();
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        return cipher;
    }

    private static byte hasSecret(@Nullable SharedKey shared) {
        return (byte) (shared == null ? 0 : 1);
    }
}
