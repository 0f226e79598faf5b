;; Dot products of one query with many stored vectors, sixteen numbers at a time. Stored numbers have 8 bits.
;; The query keeps 16, at no cost, because the multiply-add instruction takes 16 bits on both sides.
(module
  (memory (export "memory") 1)
  (func (export "dotProducts")
    ;; query: address of `dims` 16-bit numbers. vectors: address of `count` rows of `dims` bytes. out: address
    ;; for `count` 32-bit sums. `dims` is a multiple of sixteen.
    (param $query i32) (param $dims i32) (param $vectors i32) (param $count i32) (param $out i32)
    (local $end i32) (local $row_end i32) (local $at i32) (local $stored v128) (local $sum v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (local.set $row_end (i32.add (local.get $vectors) (local.get $dims)))
        (loop $numbers
          (local.set $stored (v128.load (local.get $vectors)))
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.add
                (i32x4.dot_i16x8_s
                  (i16x8.extend_low_i8x16_s (local.get $stored))
                  (v128.load (local.get $at)))
                (i32x4.dot_i16x8_s
                  (i16x8.extend_high_i8x16_s (local.get $stored))
                  (v128.load offset=16 (local.get $at))))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $vectors (i32.add (local.get $vectors) (i32.const 16)))
          (br_if $numbers (i32.lt_u (local.get $vectors) (local.get $row_end))))
        (i32.store (local.get $out)
          (i32.add
            (i32.add
              (i32x4.extract_lane 0 (local.get $sum))
              (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add
              (i32x4.extract_lane 2 (local.get $sum))
              (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $rows)))))
