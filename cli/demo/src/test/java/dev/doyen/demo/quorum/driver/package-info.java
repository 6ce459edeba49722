/** Tests of the quorum demonstration with real processes and real sockets. */
@NullMarked
package dev.doyen.demo.quorum.driver;

import org.jspecify.annotations.NullMarked;
