/** What docs/guide/spring.md shows. */
@NullMarked
package dev.doyen.spring.test.guide;

import org.jspecify.annotations.NullMarked;
