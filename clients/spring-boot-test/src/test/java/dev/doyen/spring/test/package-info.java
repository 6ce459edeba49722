/** What the slice promises, in contexts. */
@NullMarked
package dev.doyen.spring.test;

import org.jspecify.annotations.NullMarked;
