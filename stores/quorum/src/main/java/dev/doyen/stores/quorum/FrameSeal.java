package dev.doyen.stores.quorum;

import dev.doyen.store.SharedKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates the frames of one TCP connection by AES-GCM. Without a secret the frames are plain.
 *
 * <p>Each side begins with a hello: the protocol, its version, whether it has a secret, and 16 random bytes. The key of the
 * connection is made from the shared key and both hellos. In each direction the frames are numbered from 0. Direction and
 * number are the nonce, so a frame opens only in its direction and at its place.
 *
 * <p>A secret protects from an attacker who does not know it, even if the attacker can read and change all traffic. The
 * attacker cannot read a frame, forge one, or change one. The attacker cannot repeat a frame, leave one out, or reorder
 * frames. The attacker cannot send a frame back to its sender, or play a recorded connection again.
 *
 * <p>It does not protect from these:
 *
 * <ul>
 *   <li>The secret is learned later. There is no forward secrecy: the secret opens traffic that was recorded before.
 *   <li>The secret is weak. A recorded connection can be tried against guesses.
 *   <li>Members attack each other. A process that knows the secret can pretend to be any member.
 *   <li>The network leads a connection to another member. Messages name their sender, so members must check that.
 *   <li>The network closes connections, or delays them. It also sees how much is sent, and when.
 * </ul>
 *
 * <p>Threads: one may seal while another opens. Source: NIST SP 800-38D.
 */
final class FrameSeal {

    /** Which side of the connection this process is. */
    enum Side {
        CONNECTING,
        ACCEPTING
    }

    /** The length of a hello. */
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

    private FrameSeal(@Nullable SecretKey key, Side own) {
        this.key = key;
        this.own = own;
        this.other = own == Side.CONNECTING ? Side.ACCEPTING : Side.CONNECTING;
    }

    /** Returns what this process sends first on a connection. Each connection needs another one. */
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

    /** Returns the seal of a connection, of the hellos of both sides. */
    static FrameSeal of(@Nullable SharedKey shared, Side own, byte[] ownHello, byte[] otherHello)
            throws RefusedPeerException {
        if (otherHello.length != HELLO_BYTES || otherHello[0] != PROTOCOL[0] || otherHello[1] != PROTOCOL[1]) {
            throw new RefusedPeerException("it does not speak the protocol of the quorum store; if it is a member,"
                    + " check its address and port");
        }
        if (otherHello[2] != VERSION) {
            throw new RefusedPeerException(
                    "it speaks another version of the protocol; run the same version of Doyen on all members");
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
        return new FrameSeal(shared == null ? null : shared.ofSession(session), own);
    }

    /** Returns how many bytes a frame grows by when it is sealed. */
    int overhead() {
        return key == null ? 0 : TAG_BYTES;
    }

    /** Seals the next frame that this process sends. */
    byte[] seal(byte[] frame) {
        if (key == null) {
            return frame;
        }
        try {
            return cipher(Cipher.ENCRYPT_MODE, key, own, sealed++).doFinal(frame);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot seal a frame by AES-GCM", e);
        }
    }

    /** Opens the next frame of the other side. Throws if the other side did not seal just these bytes as its next frame. */
    byte[] open(byte[] frame) throws RefusedPeerException {
        if (key == null) {
            return frame;
        }
        // Some versions of Java throw no checked exception for bytes that are too short for a tag.
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
                        ? "it did not prove that it knows the secret; if it is a member, give it the same secret"
                        : "a frame does not open; it was changed, repeated or reordered on the way");
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
