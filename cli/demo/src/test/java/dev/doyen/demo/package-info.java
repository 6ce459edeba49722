/** Tests of the demo over real sockets. */
@NullMarked
package dev.doyen.demo;

import org.jspecify.annotations.NullMarked;
