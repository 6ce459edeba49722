/** Tests of the starter in application contexts. */
@NullMarked
package dev.doyen.spring;

import org.jspecify.annotations.NullMarked;
