/** Tests of what the quorum demonstration shows and allows. */
@NullMarked
package dev.doyen.server.quorumdemo;

import org.jspecify.annotations.NullMarked;
