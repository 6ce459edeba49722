/**
 * The frames of the Ably realtime protocol as records, and the codec that reads and writes them as JSON and msgpack.
 *
 * <p>Nothing here decides: a frame that can be read is handed on, one that cannot ends in a
 * {@link dev.doyen.hub.wire.MalformedFrameException} whose message is a sentence for its sender. Absent wire fields are
 * null. Start at {@link dev.doyen.hub.wire.FrameCodec}.
 */
@NullMarked
package dev.doyen.hub.wire;

import org.jspecify.annotations.NullMarked;
