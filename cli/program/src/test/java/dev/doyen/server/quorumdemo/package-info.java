/** Tests of the state and the actions of the quorum demonstration. */
@NullMarked
package dev.doyen.server.quorumdemo;

import org.jspecify.annotations.NullMarked;
