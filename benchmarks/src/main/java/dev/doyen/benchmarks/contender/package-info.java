/** The systems compared, each behind the same few words, as its own documentation would have it used. */
@NullMarked
package dev.doyen.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
