/**
 * The package contains the frames of the Ably realtime protocol, and their codec.
 *
 * <p>The package makes no decisions and calls no other package of the hub. The codec supports JSON and msgpack. It
 * throws a {@link dev.doyen.hub.wire.MalformedFrameException} for an invalid frame. The exception message is a sentence
 * for the sender. Fields that are absent on the wire are null. Start reading at {@link dev.doyen.hub.wire.FrameCodec}.
 */
@NullMarked
package dev.doyen.hub.wire;

import org.jspecify.annotations.NullMarked;
