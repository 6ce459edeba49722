/** Tests of the quorum demonstration with real processes and real sockets. */
@NullMarked
package dev.doyen.server.quorumdemo.driver;

import org.jspecify.annotations.NullMarked;
